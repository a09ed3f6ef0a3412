import type { Visitor } from '../../../packages/sign-in/session.ts'
import type { ConsentRecord } from '../record/consent-record.ts'
import { checkMayChange } from '../record/save.ts'
import { noSuchRecord } from '../routes/record-address.ts'
import { findRecord } from '../store/records.ts'
import type { PageDeps } from './deps.ts'

/** The record of a page that changes it: a visitor who may not does not even learn that it is there. */
export async function changeableRecord(
  id: number,
  { caller }: Visitor,
  { database }: PageDeps,
): Promise<ConsentRecord> {
  const record = await findRecord(id, caller, database)
  if (record === undefined) throw noSuchRecord()
  checkMayChange(record, caller)
  return record
}
