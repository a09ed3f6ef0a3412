import type { DoseGiven } from './count-doses.ts'
import { forecast } from './forecast.ts'
import { knownVaccine } from './vaccine-codes.ts'

export type HintKind =
  | 'duplicate-dose'
  | 'interval-too-short'
  | 'before-minimum-age'
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
  return [
    ...duplicates(doses),
    ...(birthDate === null ? [] : notCounted(birthDate, doses, today)),
    ...doses.flatMap((dose) => hintsOf(dose, birthDate, today)),
  ]
}

function hintsOf(dose: DoseToCheck, birthDate: string | null, today: string): Hint[] {
  const hint = (kind: HintKind, message: string): Hint => ({ kind, fhirIds: [dose.fhirId], message })
  const { occurrenceDate: day } = dose
  const hints: Hint[] = []
  if (day === null) hints.push(hint('missing-date', 'It is not known when this dose was given.'))
  else if (day > today) hints.push(hint('future-date', `This dose is dated ${day}, which is yet to come.`))
  else if (birthDate !== null && day < birthDate) {
    hints.push(hint('before-birth', `This dose is dated ${day}, before the patient was born.`))
  }
  if (dose.lotNumber === null && dose.patientReported !== true) {
    hints.push(hint('missing-lot', 'The lot number is missing.'))
  }
  if (knownVaccine(dose.vaccineSystem, dose.vaccineCode) === undefined) {
    hints.push(hint('unknown-vaccine', 'The vaccine code is not known here, so this dose counts for no forecast.'))
  }
  return hints
}

/** The same vaccine on the same day, more than once. */
function duplicates(doses: readonly DoseToCheck[]): Hint[] {
  const sameDay = Map.groupBy(
    doses.filter(({ occurrenceDate }) => occurrenceDate !== null),
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

/** Doses that the schedule does not count, once each however many series they belong to. */
function notCounted(birthDate: string, doses: readonly DoseToCheck[], today: string): Hint[] {
  const found = new Map<string, Hint>()
  for (const { fhirId, day, why, reason } of forecast(birthDate, 'female', doses, today).flatMap(
    (series) => series.notCounted,
  )) {
    if (why !== 'too-soon' && why !== 'too-young') continue
    const kind = why === 'too-soon' ? 'interval-too-short' : 'before-minimum-age'
    found.set(`${kind} ${fhirId}`, { kind, fhirIds: [fhirId], message: `The dose of ${day} was ${reason}.` })
  }
  return [...found.values()]
}
