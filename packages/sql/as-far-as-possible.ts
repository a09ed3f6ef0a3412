import { faultOf } from '../faults/fault.ts'
import { isOutside } from './outside.ts'

/**
 * For a task that holds many items: one that is refused must not keep the others from being told. They are told again
 * one by one, in their order, and the first refusal is thrown at the end. While the outside is away, all of them wait.
 */
export async function asFarAsPossible<Item>(
  items: readonly Item[],
  tell: (items: readonly Item[]) => Promise<void>,
): Promise<void> {
  try {
    await tell(items)
  } catch (thrown) {
    if (items.length === 1 || isOutside(faultOf(thrown))) throw thrown
    let refusal: unknown
    for (const item of items) {
      try {
        await tell([item])
      } catch (own) {
        if (isOutside(faultOf(own))) throw own
        refusal ??= own
      }
    }
    if (refusal !== undefined) throw refusal
  }
}
