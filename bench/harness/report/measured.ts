import type { Result } from '../result.ts'

/** What came of one benchmark in a report. */
export interface Measured {
  readonly benchmark: string
  readonly title: string
  readonly outcome: Outcome
}

export type Outcome =
  | { readonly is: 'measured'; readonly results: readonly Result[]; readonly tookSeconds: number }
  | { readonly is: 'failed'; readonly reason: string }
  | { readonly is: 'left out' }

export const resultsIn = (all: readonly Measured[]): Result[] =>
  all.flatMap(({ outcome }) => (outcome.is === 'measured' ? outcome.results : []))

export const resultOf = (results: readonly Result[], benchmark: string, variant: string): Result | undefined =>
  results.find((result) => result.benchmark === benchmark && result.variant === variant)
