import type { MedicationIngredient, MedicationRequest, Quantity } from '../../../packages/fhir/r4.ts'
import { doseOf } from './dosages.ts'
import { medicationOf, partsOf } from './drugs.ts'
import { cwe } from './dt/coded.ts'
import { isSameAmount, number, unitOf } from './dt/quantities.ts'
import type { WriterDeps, WrittenSegment } from './written-segment.ts'

/** RXC: the parts of a compound, as `segments/rxc.ts` of the mapping reads them. */
export function rxcsFrom(request: MedicationRequest, deps: WriterDeps): WrittenSegment[] {
  const { low: whole } = doseOf(request.dosageInstruction?.[0])
  return partsOf(medicationOf(request, deps)).map((part) => ({
    name: 'RXC',
    fields: { 1: kindOf(part), 2: itemOf(part, deps), ...amountOf(part, whole, deps) },
  }))
}

/** Table 0166: a base carries what is added to it. */
const kindOf = ({ isActive }: MedicationIngredient): string | undefined =>
  isActive === undefined ? undefined : isActive ? 'A' : 'B'

const itemOf = ({ itemCodeableConcept, itemReference }: MedicationIngredient, deps: WriterDeps) =>
  cwe(itemCodeableConcept, deps) ?? [undefined, itemReference?.display]

/** How much of it is in what is given; of another amount than that it is a strength, and nothing is calculated. */
function amountOf({ strength }: MedicationIngredient, whole: Quantity | undefined, deps: WriterDeps) {
  const { numerator, denominator } = strength ?? {}
  const isOfWhole = isOne(denominator) || isSameAmount(denominator, whole)
  if (isOfWhole) return { 3: number(numerator), 4: unitOf(numerator, deps) }
  return {
    ...{ 5: number(numerator), 6: unitOf(numerator, deps) },
    ...{ 8: number(denominator), 9: unitOf(denominator, deps) },
  }
}

/** What the mapping writes where nothing was said of the whole. */
const isOne = (quantity: Quantity | undefined): boolean => isSameAmount(quantity, { value: 1 })
