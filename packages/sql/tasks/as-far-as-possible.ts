import { faultOf } from '../../faults/fault.ts'
import { isOutside } from './outside.ts'

/**
 * For a task that holds many items: one that is refused must not keep the others from being told. They are told again
 * half by half, in their order, and the first refusal is thrown at the end: whoever takes no more than a hundred at once
 * is told a few times, and not four thousand times. While the outside is away, all of them wait.
 */
export async function asFarAsPossible<Item>(
  items: readonly Item[],
  tell: (items: readonly Item[]) => Promise<void>,
): Promise<void> {
  try {
    await tell(items)
  } catch (thrown) {
    if (items.length === 1 || isOutside(faultOf(thrown))) throw thrown
    const middle = Math.ceil(items.length / 2)
    await eachInTurn([items.slice(0, middle), items.slice(middle)], (half) => asFarAsPossible(half, tell))
  }
}

/** The same for parts that are told by themselves anyway. */
export async function eachInTurn<Part>(parts: Iterable<Part>, tell: (part: Part) => Promise<void>): Promise<void> {
  let refusal: unknown
  for (const part of parts) {
    try {
      await tell(part)
    } catch (own) {
      if (isOutside(faultOf(own))) throw own
      refusal ??= own
    }
  }
  if (refusal !== undefined) throw refusal
}
