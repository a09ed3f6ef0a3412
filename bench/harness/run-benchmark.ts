import type { Clock } from '../../packages/clock/clock.ts'
import type { Benchmark, OpenBenchmark } from './benchmark.ts'

export interface VariantRuns {
  readonly variant: string
  /** One figure a round, in the order of the rounds. */
  readonly figures: number[]
  readonly latenciesMs: number[]
  /** What else was noted, by its name: one figure a round. */
  readonly notes: Map<string, number[]>
}

interface RunOptions {
  readonly rounds?: number | undefined
  readonly seconds?: number | undefined
}

interface RunDeps {
  readonly clock: Clock
  readonly progress: (text: string) => void
  /** Stops the run after the round under way, and lets go of everything that was set up. */
  readonly signal?: AbortSignal
}

/**
 * Warms every variant up, then runs all of them in every round, every other round backwards: what the machine does
 * meanwhile (heat, neighbours, growing tables) meets all variants alike, so their ratio within a round holds.
 */
export async function runBenchmark(benchmark: Benchmark, options: RunOptions, deps: RunDeps): Promise<VariantRuns[]> {
  const { rounds = benchmark.rounds, seconds = benchmark.seconds } = options
  const { clock, progress, signal } = deps
  progress(`${benchmark.name}: ${benchmark.title}`)
  await using open = await benchmark.open({ clock, progress: (text) => progress(`  ${text}`) })
  const runs = benchmark.variants.map((variant): VariantRuns => ({
    variant,
    figures: [],
    latenciesMs: [],
    notes: new Map(),
  }))
  for (const { variant } of benchmark.warmsUp ? runs : []) {
    signal?.throwIfAborted()
    progress(`  warming up ${variant}`)
    await open.run(variant, { seconds: seconds * warmUpShare, clock, record: () => {}, note: () => {} })
  }
  for (let round = 1; round <= rounds; round++) {
    for (const run of round % 2 === 1 ? runs : runs.toReversed()) {
      signal?.throwIfAborted()
      const figure = await oneRound(open, run, seconds, clock)
      progress(`  round ${round} of ${rounds}, ${run.variant}: ${Math.round(figure)} ${benchmark.unit}`)
    }
  }
  return runs
}

const warmUpShare = 0.5

async function oneRound(open: OpenBenchmark, run: VariantRuns, seconds: number, clock: Clock): Promise<number> {
  const record = (latencyMs: number) => void run.latenciesMs.push(latencyMs)
  const note = (what: string, value: number) => void run.notes.set(what, [...(run.notes.get(what) ?? []), value])
  const figure = await open.run(run.variant, { seconds, clock, record, note })
  run.figures.push(figure)
  return figure
}
