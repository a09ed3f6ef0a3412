import type {
  CodeableConcept,
  Medication,
  MedicationIngredient,
  Quantity,
  Reference,
} from '../../../packages/fhir/r4.ts'
import type { Segment } from '../../../packages/hl7/index.ts'
import { at } from './at.ts'
import { compact } from './compact.ts'
import type { Draft } from './draft.ts'
import type { DrugFields } from './drug-fields.ts'
import { amountOf } from './dt/amount.ts'
import { cwe } from './dt/cwe.ts'
import { derivedKey } from './drafted-keys.ts'
import { keyIdentifier, keyText } from './keys.ts'
import type { Key } from './mapped.ts'
import { drugCodeName } from './says-less.ts'
import { ingredient } from './segments/rxc.ts'

export type PrescribedDrug =
  | { readonly medicationCodeableConcept: CodeableConcept }
  | { readonly medicationReference: Reference }

/**
 * The drug of a prescription: its code alone, or a Medication where form, strength or the parts of a compound are known.
 * Undefined when the segment names none.
 */
export function readDrug(
  drug: Segment,
  fields: DrugFields,
  components: readonly Segment[],
  order: Key,
  draft: Draft,
): PrescribedDrug | undefined {
  const code = codeOf(drug, fields, draft)
  const whole = amountOf(drug, fields.doseMin, fields.doseUnit, draft)
  const given = whole?.value === undefined ? undefined : whole
  const parts = components.map((rxc) => ingredient(rxc, given, draft)).filter((one) => one !== undefined)
  if (code === undefined && parts.length === 0) return undefined
  const form = cwe(drug.part(fields.form), at(draft, drug, fields.form))
  const own = code === undefined ? [] : strengthOf(code, drug, fields, draft)
  if (form === undefined && own.length === 0 && parts.length === 0) {
    return code === undefined ? undefined : { medicationCodeableConcept: code }
  }
  const described = { ...(code === undefined ? {} : { code }), ...(form === undefined ? {} : { form }) }
  const list = parts.length > 0 ? parts : own
  // A compound is made for one order; what is on the shelf is the same for all of them.
  const key =
    parts.length > 0
      ? derivedKey(draft, 'compound', keyText(order))
      : derivedKey(draft, 'medication', JSON.stringify([described, list]))
  const resource: Medication = {
    resourceType: 'Medication',
    identifier: [keyIdentifier(key)],
    ...described,
    ...(list.length === 0 ? {} : { ingredient: list }),
  }
  const beside = code && {
    ...(code.text === undefined ? {} : { display: code.text }),
    extension: [{ url: draft.extensionUrl(drugCodeName), valueCodeableConcept: code }],
  }
  return { medicationReference: { ...draft.put(resource, { key }), ...beside } }
}

/** The code, and the supplementary codes beside it. */
function codeOf(drug: Segment, fields: DrugFields, draft: Draft): CodeableConcept | undefined {
  const code = cwe(drug.part(fields.drug), at(draft, drug, fields.drug))
  if (code === undefined) return undefined
  const others = drug
    .repetitions(fields.otherDrug)
    .flatMap((part, repetition) => cwe(part, at(draft, drug, fields.otherDrug, repetition))?.coding ?? [])
  const coding = [...(code.coding ?? []), ...others]
  return { ...code, ...(coding.length === 0 ? {} : { coding }) }
}

/** The strength of a drug that has one substance: so many mg in one (or in a volume). */
function strengthOf(code: CodeableConcept, drug: Segment, fields: DrugFields, draft: Draft): MedicationIngredient[] {
  const numerator = amountOf(drug, fields.strength, fields.strengthUnit, draft)
  if (numerator === undefined) return []
  const one: Quantity = { value: 1 }
  const denominator = amountOf(drug, fields.volume, fields.volumeUnit, draft) ?? one
  return [compact<MedicationIngredient>({ itemCodeableConcept: code, strength: { numerator, denominator } }) ?? {}]
}
