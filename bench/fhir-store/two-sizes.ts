import type { BenchmarkSetup, Round, Variant } from '../harness/benchmark.ts'
import { startDurableDatabase } from '../harness/durable-database.ts'
import { storeWorld, type StoreWorld } from './store-world.ts'

/** The same service over few and over many resources: what growth costs. */
export interface TwoSizes extends AsyncDisposable {
  readonly small: StoreWorld & { readonly url: string }
  readonly large: StoreWorld & { readonly url: string }
}

// BENCH_RESOURCES=1000000 shows how it grows to a million; loading them takes some minutes.
export const [smallSize, largeSize] = [10_000, Number(process.env['BENCH_RESOURCES'] ?? 100_000)]

export async function twoSizes({ progress }: BenchmarkSetup): Promise<TwoSizes> {
  await using stack = new AsyncDisposableStack()
  const filled = async (size: number) => {
    const { url } = stack.use(await startDurableDatabase(progress))
    return { ...stack.use(await storeWorld(url, size, progress)), url }
  }
  const small = await filled(smallSize)
  const large = await filled(largeSize)
  const owned = stack.move()
  return { small, large, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

export type Operation = (world: StoreWorld, round: Round) => Promise<number>

/** Every operation on either, side by side. */
export const onBothSizes = (operations: Readonly<Record<string, Operation>>): Record<string, Variant<TwoSizes>> =>
  Object.fromEntries(
    Object.entries(operations).flatMap(([name, operation]): [string, Variant<TwoSizes>][] => [
      [`${name}, ${smallSize.toLocaleString('en')}`, ({ small }, round) => operation(small, round)],
      [`${name}, ${largeSize.toLocaleString('en')}`, ({ large }, round) => operation(large, round)],
    ]),
  )

/** Each about a patient of its own, in an order that no cache can guess. */
export const scattered = (number: number, { patients }: StoreWorld): number => (number * 7_919) % patients
