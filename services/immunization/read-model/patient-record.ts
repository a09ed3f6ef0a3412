import type { Identifier, Immunization, ImmunizationRecommendation, Patient } from '../../../packages/fhir/r4.ts'
import { deathOf } from '../../../packages/people/death.ts'
import { chosenName, givenIn, nameOf } from '../../../packages/people/human-name.ts'
import { isOldNumber } from '../../../packages/people/old-number.ts'
import { linkedPatientId, type WantedLink } from '../../../ports/patient-index/golden-link.ts'
import { asImmunization, asRecommendation } from './as-required.ts'
import type { FhirReader } from './fhir-reader.ts'
import { dayOf, filled, knownOf } from './fhir-parts.ts'
import { mostUrgentFirst, recommendationsOf, type Recommendation } from './recommendation.ts'
import { newestFirst, vaccinationOf, type VaccinationRecord } from './vaccination.ts'

/** Whose record it is, as far as the token lets us know. */
export interface Person {
  readonly id: string
  readonly name: string | null
  /** The parts of the same name, where the store has them. */
  readonly family: string | null
  readonly given: readonly string[]
  /** YYYY-MM-DD, where the day is known. */
  readonly birthDate: string | null
  /** As exactly as it is known, which may be a year: what people read. */
  readonly born: string | null
  readonly sex: string | null
  /** The first of the numbers by which they are known now: with name and birthday it tells them from anybody else. */
  readonly number: string | null
  /** Of who has died: the day as exactly as it is known, null where only the death is. */
  readonly death: { readonly day: string | null } | null
  /** The record was merged into another, where what it held is by now, or will be in a moment. */
  readonly isReplaced: boolean
  /** The record refers to a person, of whom others may keep records as well; the token lets nobody look whether they do. */
  readonly mayHaveOtherRecords: boolean
}

/** Everything that the pages and the API say about one patient. */
export interface PatientRecord {
  readonly patient: Person
  readonly vaccinations: readonly VaccinationRecord[]
  readonly recommendations: readonly Recommendation[]
  /** Why there are none, where it is not that nobody may see them: for pages. */
  readonly unplanned?: UnplannedReason
}

/** Why nobody has anything to recommend, for those who would otherwise read that nothing is due. */
export type UnplannedReason = 'merged' | 'died' | 'no-birth-date' | 'nothing-at-this-age'

/** What the store holds. Null stands for what the token may not see. */
export interface StoredRecord {
  readonly patient: Person
  /** False where the token may not see who the patient is. */
  readonly isPatientSeen: boolean
  readonly immunizations: readonly Immunization[] | null
  readonly recommendations: readonly ImmunizationRecommendation[] | null
}

/** Reads with the session's token, and drops whatever is not about the session's patient. */
export async function readStored(patientId: string, reader: FhirReader, now: Date): Promise<StoredRecord> {
  const about = { patient: `Patient/${patientId}` }
  const [patient, immunizations, recommendations] = await Promise.all([
    reader.read<Patient>('Patient', patientId),
    reader.searchAll<Immunization>('Immunization', { ...about, status: 'completed' }),
    reader.searchAll<ImmunizationRecommendation>('ImmunizationRecommendation', about),
  ])
  return {
    patient: personOf(patientId, patient, now),
    isPatientSeen: patient?.id === patientId,
    immunizations: ofPatient(immunizations, patientId)?.map(asImmunization) ?? null,
    recommendations: ofPatient(recommendations, patientId)?.map(asRecommendation) ?? null,
  }
}

export function recordOf({
  patient,
  immunizations,
  recommendations,
}: Omit<StoredRecord, 'isPatientSeen'>): PatientRecord {
  return {
    patient,
    vaccinations: (immunizations ?? [])
      .filter(({ status }) => status === 'completed')
      .map(vaccinationOf)
      .toSorted(newestFirst),
    recommendations: (recommendations ?? []).flatMap(recommendationsOf).toSorted(mostUrgentFirst),
  }
}

function personOf(id: string, patient: Patient | undefined, now: Date): Person {
  // A server that answers with somebody else is answered with nobody.
  const known = patient?.id === id ? patient : undefined
  const birthDate = dayOf(known?.birthDate)
  const name = chosenName(known?.name, now) ?? {}
  const death = known === undefined ? undefined : deathOf(known)
  const isLinked = (type: WantedLink) => known !== undefined && linkedPatientId(known, type) !== undefined
  return {
    id,
    // Certificates bear the name of the passport, which has no titles, before it or behind.
    name: nameOf([{ ...name, prefix: [], suffix: [] }]) ?? null,
    family: filled(name.family),
    given: givenIn(name),
    birthDate: birthDate?.precision === 'day' ? birthDate.day : null,
    born: birthDate === undefined ? null : knownOf(birthDate.day, birthDate.precision),
    sex: filled(known?.gender),
    number: numberOf(known?.identifier, now),
    death: death === undefined ? null : { day: death.day ?? null },
    isReplaced: isLinked('replaced-by'),
    mayHaveOtherRecords: isLinked('refer') || isLinked('seealso'),
  }
}

/** One that is in use, where there is one: by a number that was given up nobody is found any more. */
function numberOf(identifiers: readonly Identifier[] = [], now: Date): string | null {
  const numbers = identifiers.filter(({ value }) => filled(value) !== null)
  return filled((numbers.find((one) => !isOldNumber(one, now)) ?? numbers.at(0))?.value)
}

type AboutPatient = { readonly patient?: { readonly reference?: string | undefined } | undefined }

function ofPatient<T extends AboutPatient>(found: readonly T[] | 'forbidden', patientId: string): readonly T[] | null {
  if (found === 'forbidden') return null
  const own = new RegExp(`(^|/)Patient/${patientId.replaceAll('.', String.raw`\.`)}(/_history/|$)`)
  return found.filter(({ patient }) => own.test(patient?.reference ?? ''))
}
