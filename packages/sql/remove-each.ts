import { faultOf, type Fault } from '../faults/fault.ts'

/**
 * One round of removals, one after the other; the answer is how many rows went. What cannot be removed keeps nothing else
 * from going; the first fault is thrown when all have had their turn.
 */
export async function removeEach(removals: Iterable<() => Promise<number>>): Promise<number> {
  let count = 0
  const faults: Fault[] = []
  for (const remove of removals) {
    try {
      count += await remove()
    } catch (thrown) {
      faults.push(faultOf(thrown))
    }
  }
  if (faults[0] !== undefined) throw faults[0]
  return count
}
