import type { OrderGroup } from '../../order-group.ts'
import type { PutObservation } from '../../observations.ts'

/**
 * The results so far, to find the one that a later order was made for: the organism whose susceptibilities are tested.
 * OBR-29 names the order of the result, OBR-26 its OBX-3 and OBX-4.
 */
export class EarlierResults {
  readonly #byCode = new Map<string, EarlierResult[]>()

  add(group: OrderGroup, results: readonly PutObservation[]): void {
    for (const result of results) {
      const code = result.obx.text(3)?.trim()
      if (result.isMistake || code === undefined) continue
      const sameCode = this.#byCode.get(code)
      if (sameCode === undefined) this.#byCode.set(code, [{ group, result }])
      else sameCode.push({ group, result })
    }
  }

  parentOf(child: OrderGroup): PutObservation | undefined {
    const code = child.obr?.text(26, 1, 1)?.trim()
    const sameCode = code === undefined ? undefined : this.#byCode.get(code)
    return sameCode?.find((one) => isParentOf(one, child))?.result
  }
}

interface EarlierResult {
  readonly group: OrderGroup
  readonly result: PutObservation
}

function isParentOf({ group, result }: EarlierResult, { obr }: OrderGroup): boolean {
  const subId = obr?.text(26, 2)?.trim()
  if (subId !== undefined && subId !== result.obx.text(4)?.trim()) return false
  return isSame(obr?.text(29, 1), group.placer?.value) && isSame(obr?.text(29, 2), group.filler?.value)
}

const isSame = (sent: string | undefined, known: string | undefined): boolean =>
  sent === undefined || known === undefined || sent.trim() === known
