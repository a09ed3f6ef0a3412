import { createHash } from 'node:crypto'
import type { Patient } from '../../../packages/fhir/r4.ts'
import type { Statement } from '../../../packages/sql/sql.ts'
import { isGoldenRecord } from '../../../ports/patient-index/golden-link.ts'
import { blockingKeys } from './blocking-keys.ts'
import { goldenIdOf } from './golden/golden-record.ts'
import { personOf, type Person } from './person.ts'
import { removingPeople, removingProvisional, savingPeople, type IndexedPerson } from './store/people.ts'

export type StoredPatient = Patient & { readonly id: string }

/** What keeps the index in step with Patients that are created or updated, in the transaction that writes them. */
export function indexingPatients(patients: readonly StoredPatient[]): Statement[] {
  const latest = new Map(patients.filter((patient) => !isGoldenRecord(patient)).map((patient) => [patient.id, patient]))
  if (latest.size === 0) return []
  const people = [...latest.values()].map((patient) =>
    indexed(personOf(patient), { patientId: patient.id, goldenId: goldenIdOf(patient), isProvisional: false }),
  )
  const golden = people.map(({ goldenId }) => goldenId).filter((id) => !latest.has(id))
  return [savingPeople(people), ...(golden.length === 0 ? [] : [removingProvisional(golden)])]
}

/** The counterpart for Patients that are deleted. */
export const forgettingPatients = (ids: readonly string[]): Statement[] =>
  ids.length === 0 ? [] : removingPeople([...ids].sort())

export function indexed(
  person: Person,
  row: Pick<IndexedPerson, 'patientId' | 'goldenId' | 'isProvisional'>,
): IndexedPerson {
  const digest = createHash('sha256')
    .update(JSON.stringify([row.goldenId, person]))
    .digest()
  return { ...row, person, keys: blockingKeys(person), fingerprint: digest.readBigInt64BE(0).toString() }
}
