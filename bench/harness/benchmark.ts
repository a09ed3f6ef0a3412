import type { Clock } from '../../packages/clock/clock.ts'
import { bug } from '../../packages/faults/fault.ts'

/** One round of one variant: how long it lasts, and where it reports the time that single operations took. */
export interface Round {
  readonly seconds: number
  readonly clock: Clock
  record(latencyMs: number): void
}

export interface BenchmarkSetup {
  /** Tells a human, on stderr, what is being prepared. */
  readonly progress: (text: string) => void
  readonly clock: Clock
}

/** Runs one round and answers with its figure in the benchmark's unit. */
export type Variant<World> = (world: World, round: Round) => Promise<number>

export interface BenchmarkOptions<World extends AsyncDisposable> {
  /** The name of its file. */
  readonly name: string
  /** One sentence: what is compared with what. */
  readonly title: string
  /** What a variant's figure counts, e.g. `commits/s`. */
  readonly unit: string
  /** What the variants run on; disposed at the end, whatever happened. */
  readonly setup: (setup: BenchmarkSetup) => Promise<World>
  /** The first is what the others are compared with. */
  readonly variants: Readonly<Record<string, Variant<World>>>
  readonly rounds?: number
  readonly seconds?: number
}

/** A benchmark whose world is its own business, so that benchmarks of all kinds fit in one list. */
export interface Benchmark {
  readonly name: string
  readonly title: string
  readonly unit: string
  readonly variants: readonly string[]
  readonly rounds: number
  readonly seconds: number
  open(setup: BenchmarkSetup): Promise<OpenBenchmark>
}

export interface OpenBenchmark extends AsyncDisposable {
  run(variant: string, round: Round): Promise<number>
}

export function benchmark<World extends AsyncDisposable>(options: BenchmarkOptions<World>): Benchmark {
  const { name, title, unit, setup, variants, rounds = 5, seconds = 3 } = options
  return {
    name,
    title,
    unit,
    variants: Object.keys(variants),
    rounds,
    seconds,
    async open(given) {
      const world = await setup(given)
      return {
        run: (variant, round) => known(variants, variant)(world, round),
        [Symbol.asyncDispose]: () => Promise.resolve(world[Symbol.asyncDispose]()),
      }
    },
  }
}

function known<World>(variants: Readonly<Record<string, Variant<World>>>, name: string): Variant<World> {
  const variant = variants[name]
  if (variant === undefined) throw bug(`there is no variant ${name}`)
  return variant
}
