import { missing } from '../../../../packages/faults/fault.ts'
import type { Patient } from '../../../../packages/fhir/r4.ts'
import type { Transaction } from '../../../../packages/sql/queryable.ts'
import { isGoldenRecord } from '../../../../ports/patient-index/golden-link.ts'
import type { StoredPatient } from '../index-patients.ts'
import type { PatientRecords } from '../patient-records.ts'
import { recordsOf } from '../store/people.ts'
import { survivingGoldenIdOf, link, referringTo } from './golden-record.ts'

/**
 * Two golden records are one person: the records of the first refer to the second from now on, and the first says by
 * what it was replaced. Nothing is deleted; every record keeps its history, so a merge can be read and undone by hand.
 */
export async function mergeGoldenRecords(
  { from, into }: { readonly from: string; readonly into: string },
  tx: Transaction,
  records: PatientRecords,
): Promise<void> {
  const moved = (await recordsOf(from, tx)).filter((id) => id !== from)
  // Read once nobody else can write them: what a message says of them meanwhile would be overwritten.
  const patients = await records.readLocked([...moved, from, into], tx)
  const replaced = patients.get(from)
  const kept = patients.get(into)
  if (replaced === undefined || kept === undefined) throw missing('One of the two records is not there any more.')
  await records.write(
    [
      ...moved.flatMap((id) => referring(patients.get(id), from, into)),
      replacedBy(replaced, into),
      { ...kept, link: [...(kept.link ?? []), link('replaces', from)] },
    ],
    tx,
  )
}

/** Unless it was deleted or came to belong to somebody else meanwhile. */
const referring = (patient: StoredPatient | undefined, from: string, into: string): StoredPatient[] =>
  patient === undefined || survivingGoldenIdOf(patient) !== from
    ? []
    : [{ ...referringTo(patient, into), id: patient.id }]

/** A golden record has served; an ordinary Patient that was its own goes on and refers like the others. */
function replacedBy(patient: StoredPatient, into: string): StoredPatient {
  if (!isGoldenRecord(patient)) return { ...referringTo(patient, into), id: patient.id }
  const ended: Patient = { ...patient, active: false, link: [...(patient.link ?? []), link('replaced-by', into)] }
  return { ...ended, id: patient.id }
}
