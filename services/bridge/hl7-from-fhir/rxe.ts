import type { Medication, MedicationRequest, Quantity } from '../../../packages/fhir/r4.ts'
import { repeated, type FieldValue } from '../../../packages/hl7/index.ts'
import { prescriptionNumberText } from '../mapping/segments/rxe.ts'
import { doseOf } from './dosages.ts'
import { cwe, systemName } from './dt/coded.ts'
import { number } from './dt/quantities.ts'
import { xcn } from './dt/references.ts'
import { hl7Time } from './dt/times.ts'
import type { WriterDeps, WrittenSegment } from './written-segment.ts'

/** RXE of a prescription: the drug, its dose, and what is to be given out. */
export function rxeFrom(request: MedicationRequest, deps: WriterDeps): WrittenSegment {
  const { dispenseRequest, substitution } = request
  const { low, high } = doseOf(request.dosageInstruction?.[0])
  const { code, form } = drugOf(request, deps)
  const prescription = request.identifier?.find(({ type }) => type?.text === prescriptionNumberText)
  return {
    name: 'RXE',
    fields: {
      2: code,
      3: number(low),
      4: number(high),
      5: unitOf(low ?? high, deps),
      6: cwe(form, deps),
      7: instructionsOf(request),
      9: substitution?.allowedBoolean === undefined ? undefined : substitution.allowedBoolean ? '0' : '1',
      10: number(dispenseRequest?.quantity),
      11: unitOf(dispenseRequest?.quantity, deps),
      12: dispenseRequest?.numberOfRepeatsAllowed,
      13: xcn(request.requester, deps),
      15: prescription?.value,
      27: cwe(request.reasonCode?.[0], deps),
      32: hl7Time(request.authoredOn),
    },
  }
}

/** RXR: the ways in which doses are taken, and where; none when the request does not say. */
export function rxrsFrom({ dosageInstruction }: MedicationRequest, deps: WriterDeps): WrittenSegment[] {
  const ways = (dosageInstruction ?? []).filter(({ route, site }) => route !== undefined || site !== undefined)
  const written = ways.map(({ route, site, method }) => ({
    1: cwe(route, deps),
    2: cwe(site, deps),
    4: cwe(method, deps),
  }))
  // Dosages that differ only in their times are taken the same way.
  const distinct = new Map(written.map((fields) => [JSON.stringify(fields), fields]))
  return [...distinct.values()].map((fields) => ({ name: 'RXR', fields }))
}

/** RXE-7: for people, so a text without a code. */
function instructionsOf({ dosageInstruction }: MedicationRequest): FieldValue {
  const texts = (dosageInstruction ?? []).flatMap(({ patientInstruction, text }) => patientInstruction ?? text ?? [])
  const distinct = [...new Set(texts)]
  return distinct.length === 0 ? undefined : repeated(...distinct.map((text) => [undefined, text]))
}

function drugOf(
  { medicationCodeableConcept, medicationReference }: MedicationRequest,
  deps: WriterDeps,
): { readonly code: FieldValue; readonly form?: Medication['form'] } {
  if (medicationCodeableConcept !== undefined) return { code: cwe(medicationCodeableConcept, deps) }
  const found = medicationReference === undefined ? undefined : deps.resolve(medicationReference)
  const drug = found?.resourceType === 'Medication' ? found : undefined
  return { code: cwe(drug?.code, deps) ?? [undefined, medicationReference?.display], form: drug?.form }
}

function unitOf(quantity: Quantity | undefined, deps: WriterDeps): FieldValue {
  const { unit, code, system } = quantity ?? {}
  return code === undefined ? [undefined, unit] : [code, unit === code ? undefined : unit, systemName(system, deps)]
}
