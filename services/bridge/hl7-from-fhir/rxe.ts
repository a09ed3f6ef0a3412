import type { Dosage, Medication, MedicationRequest, Quantity } from '../../../packages/fhir/r4.ts'
import { repeated, type FieldValue } from '../../../packages/hl7/index.ts'
import { modifiersOf } from '../mapping/dt/modifiers.ts'
import { prescriptionNumberText } from '../mapping/segments/rxe.ts'
import { doseOf } from './dosages.ts'
import { medicationOf, strengthOf } from './drugs.ts'
import { cwe } from './dt/coded.ts'
import { amount, isSameAmount, number, unitOf } from './dt/quantities.ts'
import { xcn } from './dt/references.ts'
import { hl7Time } from './dt/times.ts'
import type { WriterDeps, WrittenSegment } from './written-segment.ts'

/** RXE of a prescription: the drug and its strength, dose and rate, and what is to be given out. */
export function rxeFrom(request: MedicationRequest, deps: WriterDeps): WrittenSegment {
  const { dispenseRequest, substitution } = request
  const [dosage = {}] = request.dosageInstruction ?? []
  const { low, high } = doseOf(dosage)
  const { numerator: atMost, denominator: inTime } = dosage.maxDosePerPeriod ?? {}
  const drug = medicationOf(request, deps)
  const prescription = request.identifier?.find(({ type }) => type?.text === prescriptionNumberText)
  return {
    name: 'RXE',
    fields: {
      2: drugOf(request, drug, deps),
      3: number(low),
      4: number(high),
      5: unitOf(low ?? high, deps),
      6: cwe(drug?.form, deps),
      7: instructionsOf(request),
      9: substitution?.allowedBoolean === undefined ? undefined : substitution.allowedBoolean ? '0' : '1',
      10: number(dispenseRequest?.quantity),
      11: unitOf(dispenseRequest?.quantity, deps),
      12: dispenseRequest?.numberOfRepeatsAllowed,
      13: xcn(request.requester, deps),
      15: prescription?.value,
      19: isSameAmount(inTime, oneDay) ? amount(atMost) : undefined,
      ...rateOf(dosage, deps),
      ...strengthFields(drug, deps),
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
    6: cwe(modifiersOf(site)[0], deps),
  }))
  // Dosages that differ only in their times are taken the same way.
  const distinct = new Map(written.map((fields) => [JSON.stringify(fields), fields]))
  return [...distinct.values()].map((fields) => ({ name: 'RXR', fields }))
}

/** RXE-7: for people, so a text without a code. */
function instructionsOf({ dosageInstruction }: MedicationRequest): FieldValue {
  const texts = (dosageInstruction ?? []).flatMap(({ patientInstruction, text }) => patientInstruction ?? text ?? [])
  const distinct = [...new Set(texts)]
  return distinct.length === 0 ? undefined : repeated(distinct.map((text) => [undefined, text]))
}

function drugOf(
  { medicationCodeableConcept, medicationReference }: MedicationRequest,
  drug: Medication | undefined,
  deps: WriterDeps,
): FieldValue {
  return cwe(medicationCodeableConcept ?? drug?.code, deps) ?? [undefined, medicationReference?.display]
}

/** RXE-22 to 24: so much in a time. Where the time is none that HL7 can write, it stands in the unit. */
function rateOf({ doseAndRate }: Dosage, deps: WriterDeps) {
  const { rateQuantity, rateRatio } = doseAndRate?.[0] ?? {}
  if (rateQuantity !== undefined) return { 23: number(rateQuantity), 24: unitOf(rateQuantity, deps) }
  const { numerator, denominator } = rateRatio ?? {}
  if (numerator === undefined || denominator === undefined) return {}
  const per = perTime(denominator)
  const unit = `${unitText(numerator)}/${number(denominator) ?? '1'} ${unitText(denominator)}`
  return { 22: per, 23: number(numerator), 24: per === undefined ? [undefined, unit] : unitOf(numerator, deps) }
}

/** `H1`, `D2`: as the mapping reads them. */
function perTime(time: Quantity): string | undefined {
  const letter = timeLetters.get(unitText(time))
  const count = number(time) ?? ''
  return letter !== undefined && /^[1-9]\d{0,3}$/.test(count) ? `${letter}${count}` : undefined
}

const unitText = ({ code, unit }: Quantity): string => code ?? unit ?? ''

/** A unit may be any word. */
const timeLetters = new Map(Object.entries({ s: 'S', min: 'M', h: 'H', d: 'D', wk: 'W', mo: 'L' }))

const oneDay: Quantity = { value: 1, code: 'd' }

/** RXE-25, 26, 33 and 34: so much in one, or in a volume. */
function strengthFields(drug: Medication | undefined, deps: WriterDeps) {
  const { numerator, denominator } = strengthOf(drug) ?? {}
  const volume = isSameAmount(denominator, { value: 1 }) ? undefined : denominator
  return {
    ...{ 25: number(numerator), 26: unitOf(numerator, deps) },
    ...{ 33: number(volume), 34: unitOf(volume, deps) },
  }
}
