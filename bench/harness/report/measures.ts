import type { Result } from '../result.ts'
import { resultOf } from './measured.ts'

/** Where the value of a goal is found among the results; undefined where it was not measured. */
export type Measure = (results: readonly Result[]) => number | undefined

export const figure =
  (benchmark: string, variant: string): Measure =>
  (results) =>
    resultOf(results, benchmark, variant)?.median

export const latency =
  (benchmark: string, variant: string, which: 'p50Ms' | 'p99Ms'): Measure =>
  (results) =>
    resultOf(results, benchmark, variant)?.[which] ?? undefined

/** One variant's ratio by another's: both are against the same first variant of the same rounds. */
export const against =
  (benchmark: string, variant: string, other: string): Measure =>
  (results) => {
    const [one, two] = [variant, other].map((name) => resultOf(results, benchmark, name))
    return one === undefined || two === undefined ? undefined : one.ratio / two.ratio
  }

export const slowest =
  (benchmark: string): Measure =>
  (results) => {
    const medians = results.flatMap((result) =>
      result.benchmark === benchmark && result.p50Ms !== null ? [result.p50Ms] : [],
    )
    return medians.length === 0 ? undefined : Math.max(...medians)
  }

export const noted =
  (benchmark: string, variant: string, note: string): Measure =>
  (results) =>
    resultOf(results, benchmark, variant)?.notes?.[note]

/** At the rate of those that were parked, however many those were. */
export const drainSeconds =
  (messages: number): Measure =>
  (results) => {
    const drained = results.find(({ benchmark, variant }) => benchmark === 'bridge-drain' && variant.endsWith('parked'))
    return drained === undefined ? undefined : messages / drained.median
  }
