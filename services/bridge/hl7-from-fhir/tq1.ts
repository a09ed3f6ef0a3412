import type { Dosage, MedicationRequest, ServiceRequest, TimingRepeat } from '../../../packages/fhir/r4.ts'
import { repeated, type FieldValue } from '../../../packages/hl7/index.ts'
import { repeatPattern } from '../mapping/v/0335-repeat-pattern.ts'
import { priority } from '../mapping/v/0485-priority.ts'
import { doseOf } from './dosages.ts'
import { backwards } from './dt/coded.ts'
import { amount } from './dt/quantities.ts'
import { hl7Time } from './dt/times.ts'
import type { WrittenSegment } from './written-segment.ts'

/** TQ1 of an order: by when and how urgently; none when the order says neither. */
export function tq1OfOrder(request: ServiceRequest): WrittenSegment | undefined {
  const { occurrenceDateTime, occurrencePeriod, occurrenceTiming } = request
  const fields = {
    3: patternOf(occurrenceTiming),
    7: hl7Time(occurrenceDateTime ?? occurrencePeriod?.start ?? occurrenceTiming?.repeat?.boundsPeriod?.start),
    8: hl7Time(occurrencePeriod?.end ?? occurrenceTiming?.repeat?.boundsPeriod?.end),
    9: backwards(priority, request.priority),
  }
  return isEmpty(fields) ? undefined : { name: 'TQ1', fields: { 1: 1, ...fields } }
}

/** TQ1 of a prescription, one for each of its dosages: how often, from when to when, and how much where that differs. */
export function tq1sOfPrescription(request: MedicationRequest): WrittenSegment[] {
  const dosages = request.dosageInstruction ?? []
  const doses = new Set(dosages.map((dosage) => JSON.stringify(doseOf(dosage))))
  return dosages
    .map((dosage) => ({
      2: doses.size > 1 ? amount(doseOf(dosage).low ?? doseOf(dosage).high) : undefined,
      ...timesOf(dosage),
      9: dosage.asNeededBoolean === true ? 'PRN' : backwards(priority, request.priority),
      // Where there is one dosage, RXE says its text unless it has instructions for the patient.
      11: dosages.length > 1 || dosage.patientInstruction !== undefined ? dosage.text : undefined,
    }))
    .filter((fields) => !isEmpty(fields))
    .map((fields, index) => ({ name: 'TQ1', fields: { 1: index + 1, ...fields } }))
}

function timesOf({ timing }: Dosage) {
  const { boundsPeriod, boundsDuration, timeOfDay, duration, durationUnit, count } = timing?.repeat ?? {}
  const length = duration === undefined ? undefined : [String(duration), durationUnit]
  return {
    3: patternOf(timing),
    4: timeOfDay === undefined ? undefined : repeated(timeOfDay.map((time) => time.replaceAll(':', ''))),
    6: amount(boundsDuration),
    7: hl7Time(boundsPeriod?.start),
    8: hl7Time(boundsPeriod?.end),
    13: length,
    14: count,
  }
}

/** Table 0335, as it was said or as the figures say it: `BID`, `Q6H`. */
function patternOf(timing: Dosage['timing']): string | undefined {
  const said = timing?.code?.coding?.[0]?.code ?? timing?.code?.text
  return said ?? intervalOf(timing?.repeat)
}

function intervalOf(repeat: TimingRepeat | undefined): string | undefined {
  const { frequency = 1, period, periodUnit } = repeat ?? {}
  if (period === undefined || periodUnit === undefined) return undefined
  const unit = { s: 'S', min: 'M', h: 'H', d: 'D', wk: 'W', mo: 'L', a: undefined }[periodUnit]
  if (frequency === 1) return unit === undefined ? undefined : `Q${period}${unit}`
  // A decimal of the store keeps its digits, and the table has plain numbers.
  return backwards(repeatPattern, { frequency, period: Number(String(period)), periodUnit })
}

const isEmpty = (fields: Readonly<Record<number, FieldValue>>): boolean =>
  Object.values(fields).every((value) => value === undefined)
