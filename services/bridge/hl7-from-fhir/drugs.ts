import type { Medication, MedicationIngredient, MedicationRequest, Ratio } from '../../../packages/fhir/r4.ts'
import type { WriterDeps } from './written-segment.ts'

/** The Medication of a prescription that names its drug by more than a code, where it is at hand. */
export function medicationOf(
  { medicationReference }: MedicationRequest,
  { resolve }: WriterDeps,
): Medication | undefined {
  const found = medicationReference === undefined ? undefined : resolve(medicationReference)
  return found?.resourceType === 'Medication' ? found : undefined
}

/** The strength of a drug that has one substance: itself. */
export function strengthOf(drug: Medication | undefined): Ratio | undefined {
  const [only, ...others] = drug?.ingredient ?? []
  return only !== undefined && others.length === 0 && isItself(only, drug) ? only.strength : undefined
}

/** The parts of a compound. */
export function partsOf(drug: Medication | undefined): readonly MedicationIngredient[] {
  const parts = drug?.ingredient ?? []
  return strengthOf(drug) === undefined ? parts.filter((part) => parts.length > 1 || !isItself(part, drug)) : []
}

const isItself = ({ itemCodeableConcept }: MedicationIngredient, drug: Medication | undefined): boolean =>
  itemCodeableConcept !== undefined && JSON.stringify(itemCodeableConcept) === JSON.stringify(drug?.code)
