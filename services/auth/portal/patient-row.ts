import { shownPatient, type ShownPatient } from '../../../packages/people/shown-patient.ts'
import type { Encounter, Patient } from '../../../ports/fhir-store/resources.ts'

/** A patient as the portal shows them. */
export interface PatientRow extends ShownPatient {
  readonly lastEncounter: EncounterRow | undefined
}

export interface EncounterRow {
  readonly id: string
  readonly what: string
  readonly status: string
  readonly start: string | undefined
}

export function patientRow(patient: Patient, encounters: readonly Encounter[], now: Date): PatientRow {
  const own = encounters.filter(({ subject }) => subject?.reference === `Patient/${patient.id ?? ''}`)
  const last = own.toSorted((a, b) => (b.period?.start ?? '').localeCompare(a.period?.start ?? ''))[0]
  return { ...shownPatient(patient, now), lastEncounter: last === undefined ? undefined : encounterRow(last) }
}

export function encounterRow(encounter: Encounter): EncounterRow {
  const { id = '', type, reasonCode, status, period, class: kind } = encounter
  const what =
    type?.[0]?.text ?? type?.[0]?.coding?.[0]?.display ?? reasonCode?.[0]?.text ?? kind?.display ?? 'Encounter'
  return { id, what, status, start: period?.start }
}
