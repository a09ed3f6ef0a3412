import { createHash } from 'node:crypto'
import type { Patient } from '../../../packages/fhir/r4.ts'
import type { Statement } from '../../../packages/sql/sql.ts'
import { isGoldenBefore, isGoldenRecord } from '../../../ports/patient-index/golden-link.ts'
import { blockingKeys } from './blocking-keys.ts'
import { survivingGoldenIdOf } from './golden/golden-record.ts'
import { personOf, type Person } from './person.ts'
import {
  removingPeople,
  removingProvisional,
  removingReplaced,
  savingPeople,
  type IndexedPerson,
} from './store/people.ts'

export type StoredPatient = Patient & { readonly id: string }

/**
 * What keeps the index in step with Patients that are created or updated, in the transaction that writes them. Of golden
 * records it keeps those that were replaced, and by whom: a message that was under way may refer to them still.
 * @param noting as of `savingPeople`
 */
export function indexingPatients(
  patients: readonly StoredPatient[],
  noting?: (isMeant: Statement) => Statement,
): Statement[] {
  const latest = new Map(patients.map((patient) => [patient.id, patient]))
  const people = [...latest.values()].flatMap(rowOf)
  if (people.length === 0) return []
  const golden = people.flatMap(({ goldenId, isProvisional }) =>
    isProvisional || latest.has(goldenId) ? [] : [goldenId],
  )
  return [savingPeople(people, noting), ...(golden.length === 0 ? [] : [removingProvisional(golden)])]
}

/** For golden records that were there before: one that is replaced no longer stands for itself again. */
export function restoringGolden(patients: readonly StoredPatient[]): Statement[] {
  const standing = patients.filter((patient) => isGoldenRecord(patient) && survivingGoldenIdOf(patient) === patient.id)
  return standing.length === 0 ? [] : [removingReplaced(standing.map(({ id }) => id).sort())]
}

/** The counterpart for Patients that are deleted. */
export const forgettingPatients = (ids: readonly string[]): Statement[] =>
  ids.length === 0 ? [] : removingPeople([...ids].sort())

function rowOf(patient: StoredPatient): IndexedPerson[] {
  const { id: patientId } = patient
  const goldenId = survivingGoldenIdOf(patient)
  const own = { patientId, goldenId, wasGolden: isGoldenBefore(patient) && goldenId !== patientId }
  if (!isGoldenRecord(patient)) return [indexed(personOf(patient), { ...own, isProvisional: false })]
  return goldenId === patientId ? [] : [indexed(nobody, { ...own, isProvisional: true })]
}

/** A golden record says nothing of anybody, so that nobody is found by it. */
const nobody = personOf({ resourceType: 'Patient' })

export function indexed(
  person: Person,
  row: Pick<IndexedPerson, 'patientId' | 'goldenId' | 'isProvisional' | 'wasGolden'>,
): IndexedPerson {
  const digest = createHash('sha256')
    .update(JSON.stringify([row.goldenId, person]))
    .digest()
  return { ...row, person, keys: blockingKeys(person), fingerprint: digest.readBigInt64BE(0).toString() }
}
