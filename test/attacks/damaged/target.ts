import type { Searched } from '../../../packages/testkit/reach/led-search.ts'

/** What damaged messages are sent into, as texts. */
export type Target = Omit<Searched<string>, 'wentFurther'>

/** What the worker is asked for. */
export interface SearchOrder {
  readonly target: 'reading' | 'mapping'
  readonly tries: number
  readonly seed: number
}

/** What it tells when it is done. */
export interface SearchReport {
  readonly seeds: number
  readonly kept: number
  readonly places: number
  /** How many of the places the seeds reach, and how many all. */
  readonly reachedBySeeds: number
  readonly reached: number
  /** What is wrong, each with the shortest message that shows it. */
  readonly found: readonly string[]
}
