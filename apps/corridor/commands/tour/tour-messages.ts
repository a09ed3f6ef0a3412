import { nationalIdSystem } from './tour-clinic.ts'
import type { TourPatient } from './tour-patient.ts'

/** A message of the tour. */
export interface TourMessage {
  readonly channel: 'adt' | 'oru'
  readonly type: string
  readonly controlId: string
  readonly segments: readonly string[]
  /** How many are told of it in the background, as the demo's subscriptions are. */
  readonly receivers: number
}

export function admission(patient: TourPatient, at: string): TourMessage {
  const numbers = `${patient.recordNumber}^^^CENTRAL^MR~${patient.nationalId}^^^NATIONAL^NI`
  const header = { type: 'ADT^A01^ADT_A01', application: 'HIS', controlId: `${patient.run}-1`, at }
  return {
    ...message(header, [segment('EVN', { 1: 'A01', 2: at }), patientOf(patient, numbers), stay(patient, { 44: at })]),
    ...{ channel: 'adt', receivers: 2 },
  }
}

/** A potassium of 6.8 mmol/L stops hearts: the laboratory marks it HH, and somebody has to be told at once. */
export function criticalResult(patient: TourPatient, at: string): TourMessage {
  const order = { 1: '1', 2: `O${patient.run}`, 3: `L${patient.run}`, 4: '24320-4^Basic metabolic panel^LN' }
  const result = (index: number, code: string, value: string, range: string, flag: string) =>
    segment('OBX', { 1: String(index), 2: 'NM', 3: code, 5: value, 6: 'mmol/L', 7: range, 8: flag, 11: 'F', 14: at })
  const header = { type: 'ORU^R01^ORU_R01', application: 'LAB', controlId: `${patient.run}-2`, at }
  const segments = [
    patientOf(patient, `${patient.recordNumber}^^^CENTRAL^MR`),
    stay(patient),
    segment('OBR', { ...order, 7: at, 22: at, 24: 'LAB', 25: 'F' }),
    result(1, '2823-3^Potassium^LN', '6.8', '3.5-5.1', 'HH'),
    result(2, '2951-2^Sodium^LN', '139', '136-145', 'N'),
  ]
  return { ...message(header, segments), channel: 'oru', receivers: 2 }
}

export function immunization(patient: TourPatient, at: string): TourMessage {
  const day = at.slice(0, 8)
  const dose = { 1: '0', 2: '1', 3: day, 4: day, 5: '140^Influenza^CVX', 6: '0.5', 7: 'mL^milliliter^UCUM' }
  const header = { type: 'VXU^V04^VXU_V04', application: 'EHR', controlId: `${patient.run}-3`, at }
  const segments = [
    patientOf(patient, `${patient.recordNumber}^^^CENTRAL^MR`),
    segment('ORC', { 1: 'RE', 3: `I${patient.run}` }),
    segment('RXA', { ...dose, 9: '00^New^NIP001', 15: 'LOT42', 17: 'SKB^GlaxoSmithKline^MVX', 20: 'CP', 21: 'A' }),
    segment('RXR', { 1: 'IM^Intramuscular^HL70162', 2: 'LD^Left deltoid^HL70163' }),
  ]
  return { ...message(header, segments), channel: 'oru', receivers: 0 }
}

/** The same person at a clinic that has a number of its own for them: the national number tells who it is. */
export function clinicVisit(
  patient: TourPatient,
  visit: { facility: string; number: number },
  at: string,
): TourMessage {
  const { facility, number } = visit
  const numbers = `R${patient.run}^^^${facility}^MR~${patient.nationalId}^^^&${nationalIdSystem}&URI^NI`
  const header = {
    type: 'ADT^A04^ADT_A01',
    application: 'EHR',
    facility,
    controlId: `${patient.run}-${3 + number}`,
    at,
  }
  const segments = [
    segment('EVN', { 1: 'A04', 2: at }),
    patientOf(patient, numbers),
    segment('PV1', { 1: '1', 2: 'O', 19: `RV${patient.run}-${number}` }),
  ]
  return { ...message(header, segments), channel: 'adt', receivers: 1 }
}

interface Header {
  readonly type: string
  readonly application: string
  readonly facility?: string
  readonly controlId: string
  readonly at: string
}

function message({ type, application, facility = 'CENTRAL', controlId, at }: Header, segments: readonly string[]) {
  const header = `MSH|^~\\&|${application}|${facility}|HUB|CORRIDOR|${at}||${type}|${controlId}|P|2.5.1`
  return { type: type.split('^').slice(0, 2).join('^'), controlId, segments: [header, ...segments] }
}

const patientOf = ({ family, given, born, phone }: TourPatient, numbers: string) =>
  segment('PID', { 1: '1', 3: numbers, 5: `${family}^${given}`.toUpperCase(), 7: born, 8: 'F', 13: phone })

const stay = ({ run }: TourPatient, more: Readonly<Record<number, string>> = {}) =>
  segment('PV1', { 1: '1', 2: 'I', 3: 'Ward A^1^A', 7: 'D77^OKAFOR^AMARA', 10: 'MED', 19: `V${run}`, ...more })

/** A segment from its fields by their numbers. */
function segment(name: string, fields: Readonly<Record<number, string>>): string {
  const last = Math.max(...Object.keys(fields).map(Number))
  return [name, ...Array.from({ length: last }, (_, index) => fields[index + 1] ?? '')].join('|')
}
