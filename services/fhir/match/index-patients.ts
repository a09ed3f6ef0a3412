import { createHash } from 'node:crypto'
import type { Patient } from '../../../packages/fhir/r4.ts'
import type { Transaction } from '../../../packages/sql/queryable.ts'
import { blockingKeys } from './blocking-keys.ts'
import { goldenIdOf, isGoldenRecord } from './golden/golden-record.ts'
import { personOf, type Person } from './person.ts'
import { removePeople, removeProvisional, savePeople, type IndexedPerson } from './store/people.ts'

export type StoredPatient = Patient & { readonly id: string }

/** Keeps the index in step with Patients that were created or updated; called in the transaction that writes them. */
export async function onPatientsWritten(tx: Transaction, patients: readonly StoredPatient[]): Promise<void> {
  const latest = new Map(patients.filter((patient) => !isGoldenRecord(patient)).map((patient) => [patient.id, patient]))
  if (latest.size === 0) return
  const people = [...latest.values()].map((patient) =>
    indexed(personOf(patient), { patientId: patient.id, goldenId: goldenIdOf(patient), isProvisional: false }),
  )
  await savePeople(people, tx)
  await removeProvisional(
    people.map(({ goldenId }) => goldenId).filter((id) => !latest.has(id)),
    tx,
  )
}

/** The counterpart for Patients that were deleted. */
export async function onPatientsDeleted(tx: Transaction, ids: readonly string[]): Promise<void> {
  await removePeople([...ids].sort(), tx)
}

export function indexed(
  person: Person,
  row: Pick<IndexedPerson, 'patientId' | 'goldenId' | 'isProvisional'>,
): IndexedPerson {
  const digest = createHash('sha256')
    .update(JSON.stringify([row.goldenId, person]))
    .digest()
  return { ...row, person, keys: blockingKeys(person), fingerprint: digest.readBigInt64BE(0).toString() }
}
