/**
 * Works on several items at once, and gives the results in the order of the items. After a failure none is begun any more,
 * those that are under way are waited for, and the first failure is thrown: nothing goes on behind the caller's back.
 *
 * @param work is told whether something has failed, for an item of several steps.
 */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  atOnceMax: number,
  work: (item: Item, hasFailed: () => boolean) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  let failure: { readonly thrown: unknown } | undefined
  const hasFailed = () => failure !== undefined
  const workInTurn = async () => {
    for (const [at, item] of waiting) {
      if (hasFailed()) return
      try {
        results[at] = await work(item, hasFailed)
      } catch (thrown) {
        failure ??= { thrown }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnceMax, items.length) }, workInTurn))
  if (failure !== undefined) throw failure.thrown
  return results
}
