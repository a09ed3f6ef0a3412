import { vaccineInWords, type CodedVaccine } from '../forecast/vaccine-codes.ts'
import { knownOf, type Precision } from '../read-model/fhir-parts.ts'
import type { DocumentedBy } from '../read-model/vaccination.ts'

/** A vaccination record as the certificate reads it: the members of the specification's record that it needs. */
export interface CertifiedDose extends CodedVaccine {
  readonly vaccineName: string | null
  /** YYYY-MM-DD. */
  readonly occurrenceDate: string | null
  readonly lotNumber: string | null
  readonly performerDisplay: string | null
  readonly doseNumber: string | null
  readonly status: string
  /** Second-hand: told by the patient, unless somebody has it in writing. */
  readonly patientReported: boolean
  readonly documentedBy?: DocumentedBy | null
  /** Given, and known to have been too weak to protect. */
  readonly isSubpotent: boolean
  /** What it says is changed by something that nobody here understands. */
  readonly isQualified?: boolean
  /** How much of the day is known; the rest is padded. */
  readonly occurrencePrecision: Precision | null
}

/** A dose that is certain to have been given: only such a one is certified. */
export type ValidDose<Dose extends CertifiedDose = CertifiedDose> = Dose & { readonly occurrenceDate: string }

export interface CertifiedPerson {
  readonly name: string | null
  /** YYYY-MM-DD. */
  readonly birthDate: string | null
}

/** All doses of one vaccine, in the order of the history. */
export interface VaccineGroup<Dose extends CertifiedDose = CertifiedDose> {
  readonly code: string
  /** As the record has it; a code where it has no name. */
  readonly name: string
  /** What people read. */
  readonly label: string
  readonly doses: readonly ValidDose<Dose>[]
}

export function isValidDose<Dose extends CertifiedDose>(dose: Dose): dose is ValidDose<Dose> {
  return dose.status === 'completed' && dose.occurrenceDate !== null
}

/** Whether something that was given is not certified, because nobody knows when. */
export const hasUndated = (immunizations: readonly CertifiedDose[]): boolean =>
  immunizations.some(({ status, occurrenceDate }) => status === 'completed' && occurrenceDate === null)

/**
 * One group per distinct code in first-seen order, as the specification has them; a dose without a code is grouped by its
 * name. Who has to tell a code from the same one of another system says how.
 */
export function vaccineGroups<Dose extends CertifiedDose>(
  immunizations: readonly Dose[],
  systemOf: (dose: Dose) => string = () => '',
): readonly VaccineGroup<Dose>[] {
  const groups = new Map<string, VaccineGroup<Dose> & { readonly doses: ValidDose<Dose>[] }>()
  for (const dose of immunizations) {
    if (!isValidDose(dose)) continue
    const code = dose.vaccineCode ?? dose.vaccineName ?? ''
    const key = `${systemOf(dose)} ${code}`
    const known = groups.get(key)
    if (known !== undefined) known.doses.push(dose)
    else groups.set(key, { code, name: dose.vaccineName ?? code, label: vaccineInWords(dose) ?? code, doses: [dose] })
  }
  return [...groups.values()]
}

/**
 * The number of each dose of a group: the written one, or its place in time among them. Two records of one day are one dose,
 * as they are for the forecast. Of all at once: a patient may have written thousands, and a search for the place of each
 * would keep everybody waiting.
 */
export function sequencesOf({ doses }: VaccineGroup): ReadonlyMap<ValidDose, number> {
  // Of two doses on one day the later in the list is the earlier: the history is newest first.
  const oldestFirst = doses.toReversed().toSorted((a, b) => compare(a.occurrenceDate, b.occurrenceDate))
  const places = new Map<string, number>()
  let last = 0
  const placeOf = ({ occurrenceDate, occurrencePrecision }: ValidDose): number => {
    // In a month or a year there may well have been several.
    if (knownOf(occurrenceDate, occurrencePrecision) !== occurrenceDate) return ++last
    const place = places.get(occurrenceDate) ?? ++last
    places.set(occurrenceDate, place)
    return place
  }
  const placed = oldestFirst.map((dose) => [dose, placeOf(dose)] as const)
  return new Map(placed.map(([dose, place]) => [dose, writtenNumber(dose) ?? place]))
}

const writtenNumber = ({ doseNumber }: ValidDose): number | undefined =>
  doseNumber !== null && /^\d{1,9}$/.test(doseNumber) ? Number(doseNumber) : undefined

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
