import { missing } from '../../../../packages/faults/fault.ts'
import type { Patient } from '../../../../packages/fhir/r4.ts'
import type { Transaction } from '../../../../packages/sql/queryable.ts'
import { goldenBeforeTag, isGoldenBefore, isGoldenRecord } from '../../../../ports/patient-index/golden-link.ts'
import type { StoredPatient } from '../index-patients.ts'
import type { PatientRecords } from '../patient-records.ts'
import { recordsOf } from '../store/people.ts'
import { survivingGoldenIdOf, link, referringTo } from './golden-record.ts'

export interface GoldenMerge {
  readonly from: string
  readonly into: string
}

/**
 * The same two, with an ordinary Patient as the one that stays: what its patient refuses is recorded on it and holds for
 * every record that refers to it. Nobody records anything on a golden record.
 */
export async function asItKeepsRefusals(
  { from, into }: GoldenMerge,
  tx: Transaction,
  records: PatientRecords,
): Promise<GoldenMerge> {
  const patients = await records.read([from, into], tx)
  const isOrdinary = (id: string) => {
    const patient = patients.get(id)
    return patient !== undefined && !isGoldenRecord(patient)
  }
  return isOrdinary(from) && !isOrdinary(into) ? { from: into, into: from } : { from, into }
}

/**
 * Two golden records are one person: the records of the first refer to the second from now on, and the first says by
 * what it was replaced. Nothing is deleted; every record keeps its history, so a merge can be read and undone by hand.
 */
export async function mergeGoldenRecords(
  { from, into }: GoldenMerge,
  tx: Transaction,
  records: PatientRecords,
): Promise<void> {
  const moved = (await recordsOf(from, tx)).filter((id) => id !== from)
  // Read once nobody else can write them: what a message says of them meanwhile would be overwritten.
  const patients = await records.readLocked([...moved, from, into], tx)
  const replaced = patients.get(from)
  const kept = patients.get(into)
  if (replaced === undefined || kept === undefined) throw missing('One of the two records is not there any more.')
  const ofMoved = moved.flatMap((id) => referring(patients.get(id), from, into))
  await records.write([...ofMoved, ...merged(replaced, kept)], tx)
}

/** Unless it was deleted or came to belong to somebody else meanwhile. */
const referring = (patient: StoredPatient | undefined, from: string, into: string): StoredPatient[] =>
  patient === undefined || survivingGoldenIdOf(patient) !== from
    ? []
    : [{ ...referringTo(patient, into), id: patient.id }]

/** A golden record has served; an ordinary Patient that was its own goes on, refers like the others, and is replaced by nothing. */
function merged(from: StoredPatient, into: StoredPatient): StoredPatient[] {
  if (!isGoldenRecord(from)) return [{ ...withTag(referringTo(from, into.id)), id: from.id }]
  return [
    { ...from, active: false, link: [...(from.link ?? []), link('replaced-by', into.id)] },
    { ...into, link: [...(into.link ?? []), link('replaces', from.id)] },
  ]
}

const withTag = (patient: Patient): Patient =>
  isGoldenBefore(patient)
    ? patient
    : { ...patient, meta: { ...patient.meta, tag: [...(patient.meta?.tag ?? []), goldenBeforeTag] } }
