import type { Dosage, MedicationRequest, Quantity } from '../../../packages/fhir/r4.ts'
import type { FieldValue } from '../../../packages/hl7/index.ts'
import { prescriptionNumberText } from '../mapping/segments/rxe.ts'
import { cwe, systemName } from './dt/coded.ts'
import { xcn } from './dt/references.ts'
import { hl7Time } from './dt/times.ts'
import type { WriterDeps, WrittenSegment } from './written-segment.ts'

/** RXE of a prescription: the drug, its dose, and what is to be given out. */
export function rxeFrom(request: MedicationRequest, deps: WriterDeps): WrittenSegment {
  const { dispenseRequest, substitution } = request
  const dosage = request.dosageInstruction?.[0]
  const { low, high } = doseOf(dosage)
  const prescription = request.identifier?.find(({ type }) => type?.text === prescriptionNumberText)
  return {
    name: 'RXE',
    fields: {
      2: drugOf(request, deps),
      3: number(low),
      4: number(high),
      5: unitOf(low ?? high),
      7: dosage?.patientInstruction ?? dosage?.text,
      9: substitution?.allowedBoolean === undefined ? undefined : substitution.allowedBoolean ? '0' : '1',
      10: number(dispenseRequest?.quantity),
      11: unitOf(dispenseRequest?.quantity),
      12: dispenseRequest?.numberOfRepeatsAllowed,
      13: xcn(request.requester, deps),
      15: prescription?.value,
      27: cwe(request.reasonCode?.[0]),
      32: hl7Time(request.authoredOn),
    },
  }
}

/** RXR: the way a dose is taken, and where; none when the request does not say. */
export function rxrFrom({ dosageInstruction }: MedicationRequest): WrittenSegment | undefined {
  const { route, site, method } = dosageInstruction?.[0] ?? {}
  if (route === undefined && site === undefined) return undefined
  return { name: 'RXR', fields: { 1: cwe(route), 2: cwe(site), 4: cwe(method) } }
}

/** TQ1: how often and from when to when; none when the request does not say. */
export function tq1From(request: MedicationRequest): WrittenSegment | undefined {
  const timing = request.dosageInstruction?.[0]?.timing
  if (timing === undefined) return undefined
  const bounds = timing.repeat?.boundsPeriod
  const code = timing.code?.coding?.[0]?.code ?? timing.code?.text
  return {
    name: 'TQ1',
    fields: { 1: 1, 3: code ?? intervalOf(timing.repeat), 7: hl7Time(bounds?.start), 8: hl7Time(bounds?.end) },
  }
}

function drugOf({ medicationCodeableConcept, medicationReference }: MedicationRequest, deps: WriterDeps): FieldValue {
  if (medicationCodeableConcept !== undefined) return cwe(medicationCodeableConcept)
  const found = medicationReference === undefined ? undefined : deps.resolve(medicationReference)
  const code = found?.resourceType === 'Medication' ? found.code : undefined
  return cwe(code) ?? [undefined, medicationReference?.display]
}

function doseOf(dosage: Dosage | undefined): {
  readonly low?: Quantity | undefined
  readonly high?: Quantity | undefined
} {
  const { doseQuantity, doseRange } = dosage?.doseAndRate?.[0] ?? {}
  return doseQuantity === undefined ? { low: doseRange?.low, high: doseRange?.high } : { low: doseQuantity }
}

const number = (quantity: Quantity | undefined): string | undefined =>
  quantity?.value === undefined ? undefined : String(quantity.value)

function unitOf(quantity: Quantity | undefined): FieldValue {
  const { unit, code, system } = quantity ?? {}
  return code === undefined ? [undefined, unit] : [code, unit === code ? undefined : unit, systemName(system)]
}

/** Table 0335: `Q6H`. */
function intervalOf(repeat: NonNullable<Dosage['timing']>['repeat']): string | undefined {
  const { frequency = 1, period, periodUnit } = repeat ?? {}
  if (period === undefined || periodUnit === undefined) return undefined
  const unit = { s: 'S', min: 'M', h: 'H', d: 'D', wk: 'W', mo: 'L', a: undefined }[periodUnit]
  return unit === undefined || frequency !== 1 ? undefined : `Q${period}${unit}`
}
