import type { MedicationIngredient, Quantity } from '../../../../packages/fhir/r4.ts'
import type { Segment } from '../../../../packages/hl7/index.ts'
import { at } from '../at.ts'
import { compact } from '../compact.ts'
import type { Draft } from '../draft.ts'
import { amountOf } from '../dt/amount.ts'
import { cwe } from '../dt/cwe.ts'

/** RXC: one part of a compound. Its amount (3, 4) is in the amount of the whole that is given (RXE-3, RXE-5). */
export function ingredient(rxc: Segment, whole: Quantity | undefined, draft: Draft): MedicationIngredient | undefined {
  const item = cwe(rxc.part(2), at(draft, rxc, 2))
  if (item === undefined) return undefined
  const numerator = amountOf(rxc, 3, 4, draft)
  const kind = rxc.text(1)?.trim().toUpperCase()
  return {
    itemCodeableConcept: item,
    ...compact<Omit<MedicationIngredient, 'itemCodeableConcept'>>({
      // Table 0166: a base carries what is added to it.
      isActive: kind === 'A' ? true : kind === 'B' ? false : undefined,
      strength: numerator && { numerator, denominator: whole ?? { value: 1 } },
    }),
  }
}
