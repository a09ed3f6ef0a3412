import { timeRangeOf } from '../../../packages/fhir/date.ts'
import { parseReference } from '../../../packages/fhir/reference.ts'
import { shownPatient, type ShownPatient } from '../../../packages/people/shown-patient.ts'
import type { Encounter, Patient, Reference } from '../../../ports/fhir-store/resources.ts'
import { goldenIdOf } from '../../../ports/patient-index/golden-link.ts'
import type { Look } from './look.ts'

/** A patient as the portal shows them. */
export interface PatientRow extends ShownPatient {
  /** The golden record, or this one where it is its own: the same for all records of a person. */
  readonly personId: string
  /** Null where there is none; undefined where nobody has looked, or not to the end. */
  readonly lastEncounter: EncounterRow | null | undefined
}

export interface EncounterRow {
  readonly id: string
  readonly what: string
  readonly status: string
  readonly start: string | undefined
}

/** What was found of the visits of some patients. */
export interface FoundEncounters {
  readonly encounters: readonly Encounter[]
  /** Whether these are all: then who has none among them has none. */
  readonly isWhole: boolean
}

export const patientRow = (patient: Patient, found: FoundEncounters, look: Pick<Look, 'base' | 'now'>): PatientRow => ({
  ...shownPatient(patient, look.now),
  personId: personIdOf(patient),
  lastEncounter: lastOf(patient, found, look),
})

function lastOf(
  { id = '' }: Patient,
  { encounters, isWhole }: FoundEncounters,
  { base }: Pick<Look, 'base'>,
): PatientRow['lastEncounter'] {
  const own = encounters.filter((encounter) => hasBegun(encounter) && isAbout(id, encounter, base))
  const [last] = own.toSorted(newestFirst)
  if (last === undefined) return isWhole ? null : undefined
  return encounterRow(last)
}

export const personIdOf = (patient: Patient): string => goldenIdOf({ ...patient, id: patient.id ?? '' })

/** A visit at which nobody was seen, or not yet, may have a later date than all others. */
export const hasBegun = ({ status }: Encounter): boolean =>
  status !== 'planned' && status !== 'cancelled' && status !== 'entered-in-error'

/** By the moment, not by its text: each sender writes times with an offset of its own. Without one it comes last. */
const startMs = ({ period }: Encounter): number => timeRangeOf(period?.start ?? '')?.low ?? -Number.MAX_VALUE

/** Nobody may have said that a visit has ended, and servers then order it as one that lasts: before all that came after it. */
export const newestFirst = (one: Encounter, other: Encounter): number => startMs(other) - startMs(one)

export const isAbout = (patientId: string, { subject }: Encounter, base: string): boolean =>
  patientOf(subject, base) === patientId

/** Servers name the patient as `Patient/…`, by their own address, or at a version: all the same patient. */
export function patientOf(reference: Reference | undefined, base: string): string | undefined {
  const target = parseReference(reference?.reference ?? '')
  const isHere = target.kind === 'relative' || (target.kind === 'absolute' && target.base === base)
  return isHere && target.type === 'Patient' ? target.id : undefined
}

export function encounterRow(encounter: Encounter): EncounterRow {
  const { id = '', type, reasonCode, status, period, class: kind } = encounter
  const what =
    type?.[0]?.text ?? type?.[0]?.coding?.[0]?.display ?? reasonCode?.[0]?.text ?? kind?.display ?? 'Encounter'
  return { id, what, status, start: period?.start }
}
