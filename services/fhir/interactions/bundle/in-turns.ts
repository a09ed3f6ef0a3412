import { setImmediate } from 'node:timers/promises'

const itemsATurn = 32

/** Each item after the other. One is quick, thousands are not: others get their turn in between. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [position, item] of items.entries()) {
    if (position % itemsATurn === itemsATurn - 1) await setImmediate()
    results.push(await work(item))
  }
  return results
}
