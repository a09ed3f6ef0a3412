import type { Clock } from '../../packages/clock/clock.ts'
import { bug } from '../../packages/faults/fault.ts'

/** One round of one variant: how long it lasts, and where it reports what it saw beside its figure. */
export interface Round {
  readonly seconds: number
  readonly clock: Clock
  /** The time that a single operation took. */
  record(latencyMs: number): void
  /** Another figure of the round, its unit in its name: `WAL KB`. */
  note(what: string, value: number): void
}

export interface BenchmarkSetup {
  /** Tells a human, on stderr, what is being prepared. */
  readonly progress: (text: string) => void
  readonly clock: Clock
}

/** Runs one round and answers with its figure in the benchmark's unit. */
export type Variant<World> = (world: World, round: Round) => Promise<number>

interface BenchmarkOptions<World extends AsyncDisposable> {
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
  /** False where a round takes minutes and warms itself up. */
  readonly warmsUp?: boolean
}

/** A benchmark whose world is its own business, so that benchmarks of all kinds fit in one list. */
export interface Benchmark {
  readonly name: string
  readonly title: string
  readonly unit: string
  readonly variants: readonly string[]
  readonly rounds: number
  readonly seconds: number
  readonly warmsUp: boolean
  open(setup: BenchmarkSetup): Promise<OpenBenchmark>
}

export interface OpenBenchmark extends AsyncDisposable {
  run(variant: string, round: Round): Promise<number>
}

export function benchmark<World extends AsyncDisposable>(options: BenchmarkOptions<World>): Benchmark {
  const { name, title, unit, setup, variants, rounds = 5, seconds = 3, warmsUp = true } = options
  return {
    name,
    title,
    unit,
    variants: Object.keys(variants),
    rounds,
    seconds,
    warmsUp,
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
