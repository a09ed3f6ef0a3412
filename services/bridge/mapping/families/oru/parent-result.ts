import type { OrderGroup } from '../../order-group.ts'
import type { PutObservation } from '../../observations.ts'

/**
 * Whether a result is the one that a later order was made for: the organism whose susceptibilities are tested. OBR-29
 * names the order of the result, OBR-26 its OBX-3 and OBX-4.
 */
export function isParentOf({ obx, isMistake }: PutObservation, parent: OrderGroup, child: OrderGroup): boolean {
  const code = child.obr?.text(26, 1, 1)?.trim()
  if (isMistake || child.obr === undefined || code === undefined || code !== obx.text(3)?.trim()) return false
  const subId = child.obr.text(26, 2)?.trim()
  if (subId !== undefined && subId !== obx.text(4)?.trim()) return false
  const [placer, filler] = [child.obr.text(29, 1), child.obr.text(29, 2)]
  return isSame(placer, parent.placer?.value) && isSame(filler, parent.filler?.value)
}

const isSame = (sent: string | undefined, known: string | undefined): boolean =>
  sent === undefined || known === undefined || sent.trim() === known
