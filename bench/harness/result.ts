import type { Benchmark } from './benchmark.ts'
import type { Machine } from './machine.ts'
import type { VariantRuns } from './run-benchmark.ts'
import { median, percentile, rounded } from './statistics.ts'

/** One line of JSON: one variant of one benchmark in one run. */
export interface Result {
  readonly benchmark: string
  readonly variant: string
  readonly unit: string
  readonly rounds: number
  readonly median: number
  readonly min: number
  readonly max: number
  /** Against the first variant: the median over the rounds of the ratio within each. */
  readonly ratio: number
  readonly ratioMin: number
  readonly ratioMax: number
  readonly p50Ms: number | null
  readonly p90Ms: number | null
  readonly p99Ms: number | null
  /** What else was noted: medians over the rounds. */
  readonly notes?: Readonly<Record<string, number>>
  readonly machine: Machine
  readonly commit: string | null
  readonly time: string
}

/** Where and when the run was. */
type Circumstances = Pick<Result, 'machine' | 'commit' | 'time'>

export function resultsOf(
  benchmark: Pick<Benchmark, 'name' | 'unit'>,
  runs: readonly VariantRuns[],
  circumstances: Circumstances,
): Result[] {
  const reference = runs[0]?.figures ?? []
  return runs.map(({ variant, figures, latenciesMs, notes }) => {
    const ratios = figures.map((figure, round) => figure / (reference[round] ?? Number.NaN))
    const latency = (percent: number) => (latenciesMs.length === 0 ? null : rounded(percentile(latenciesMs, percent)))
    return {
      benchmark: benchmark.name,
      variant,
      unit: benchmark.unit,
      rounds: figures.length,
      median: rounded(median(figures)),
      min: rounded(Math.min(...figures)),
      max: rounded(Math.max(...figures)),
      ratio: rounded(median(ratios)),
      ratioMin: rounded(Math.min(...ratios)),
      ratioMax: rounded(Math.max(...ratios)),
      p50Ms: latency(50),
      p90Ms: latency(90),
      p99Ms: latency(99),
      ...(notes.size === 0 ? {} : { notes: mediansOf(notes) }),
      ...circumstances,
    }
  })
}

const mediansOf = (notes: ReadonlyMap<string, readonly number[]>): Record<string, number> =>
  Object.fromEntries([...notes].map(([what, values]) => [what, rounded(median(values))]))
