import { knownOf } from '../read-model/fhir-parts.ts'
import type { DoseGiven } from './count-doses.ts'
import { isAfter, isBefore } from './dose-days.ts'
import { forecast, possibleDoses } from './forecast.ts'
import { disturbedDoses } from './live-vaccines.ts'
import { knownVaccineOf } from './vaccine-codes.ts'

export type HintKind =
  | 'duplicate-dose'
  | 'interval-too-short'
  | 'before-minimum-age'
  | 'live-too-close'
  | 'before-birth'
  | 'future-date'
  | 'missing-date'
  | 'missing-lot'
  | 'unknown-vaccine'

/** Something in the record that a person should look at. */
export interface Hint {
  readonly kind: HintKind
  readonly fhirIds: readonly string[]
  /** In English; the kind is for other languages. */
  readonly message: string
}

export interface DoseToCheck extends DoseGiven {
  readonly vaccineName: string | null
  readonly lotNumber: string | null
  /** Told by the patient: a lot number cannot be expected then. */
  readonly patientReported?: boolean
}

/** What seems wrong in a vaccination record. It never changes anything; the same hints for the same record. */
export function dataQualityHints(
  birthDate: string | null,
  doses: readonly DoseToCheck[],
  today: string,
): readonly Hint[] {
  const uncounted = birthDate === null ? [] : notCounted(birthDate, doses, today)
  // A dose that came too soon after the one before of its series does not count, and that is said already.
  const tooSoon = uncounted.flatMap(({ kind, fhirIds }) => (kind === 'interval-too-short' ? fhirIds : []))
  return [
    ...duplicates(doses),
    ...uncounted,
    ...(birthDate === null ? [] : tooClose(birthDate, doses, today, new Set(tooSoon))),
    ...doses.flatMap((dose) => hintsOf(dose, birthDate, today)),
  ]
}

function hintsOf(dose: DoseToCheck, birthDate: string | null, today: string): Hint[] {
  const hint = (kind: HintKind, message: string): Hint => ({ kind, fhirIds: [dose.fhirId], message })
  const { occurrenceDate, occurrencePrecision = null } = dose
  const known = occurrenceDate === null ? undefined : knownOf(occurrenceDate, occurrencePrecision)
  const hints: Hint[] = []
  if (known === undefined) hints.push(hint('missing-date', 'It is not known when this dose was given.'))
  else if (isAfter(known, today)) hints.push(hint('future-date', `This dose is dated ${known}, which is yet to come.`))
  else if (birthDate !== null && isBefore(known, birthDate)) {
    hints.push(hint('before-birth', `This dose is dated ${known}, before the patient was born.`))
  }
  if (dose.lotNumber === null && dose.patientReported !== true) {
    hints.push(hint('missing-lot', 'The lot number is missing.'))
  }
  if (knownVaccineOf(dose) === undefined) {
    hints.push(hint('unknown-vaccine', 'The vaccine code is not known here, so this dose counts for no forecast.'))
  }
  return hints
}

/** The same vaccine on the same day, more than once. In a month or a year there may well have been several. */
function duplicates(doses: readonly DoseToCheck[]): Hint[] {
  const sameDay = Map.groupBy(
    doses.filter(
      ({ occurrenceDate, occurrencePrecision }) => occurrenceDate !== null && isToTheDay(occurrencePrecision),
    ),
    ({ occurrenceDate, vaccineSystem, vaccineCode, vaccineName }) =>
      JSON.stringify([occurrenceDate, vaccineSystem, vaccineCode ?? vaccineName]),
  )
  return [...sameDay.values()]
    .filter((same) => same.length > 1)
    .map((same) => ({
      kind: 'duplicate-dose',
      fhirIds: same.map(({ fhirId }) => fhirId),
      message: `The same vaccine is recorded ${same.length} times for ${same[0]?.occurrenceDate}.`,
    }))
}

const isToTheDay = (precision: DoseToCheck['occurrencePrecision']) => (precision ?? 'day') === 'day'

/** Doses that the schedule does not count, once each however many series they belong to. */
function notCounted(birthDate: string, doses: readonly DoseToCheck[], today: string): Hint[] {
  const found = new Map<string, Hint>()
  for (const { fhirId, known, why, reason } of forecast(birthDate, 'female', doses, today).flatMap(
    (series) => series.notCounted,
  )) {
    if (why !== 'too-soon' && why !== 'too-young') continue
    const kind = why === 'too-soon' ? 'interval-too-short' : 'before-minimum-age'
    found.set(`${kind} ${fhirId}`, { kind, fhirIds: [fhirId], message: `The dose of ${known} was ${reason}.` })
  }
  return [...found.values()]
}

/** They count; whether one is to be repeated is for a clinician to say. */
function tooClose(birthDate: string, doses: readonly DoseToCheck[], today: string, said: ReadonlySet<string>): Hint[] {
  return disturbedDoses(possibleDoses(doses, { birthDate, today }))
    .filter(({ fhirId }) => !said.has(fhirId))
    .map(({ fhirId, known }) => ({
      kind: 'live-too-close',
      fhirIds: [fhirId],
      message: `The dose of ${known} was given less than 4 weeks after another live vaccine.`,
    }))
}
