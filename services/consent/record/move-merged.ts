import type { Transaction } from '../../../packages/sql/database.ts'
import type { Merge } from '../../../ports/patient-index/merges/merge-table.ts'
import { appendToChain, emptyChain, recordMoved } from '../audit/audit-event.ts'
import type { ConsentDeps } from '../deps.ts'
import { announceRecord } from '../projection/announce.ts'
import { chainHead, writeEvents } from '../store/audit-events.ts'
import { moveRecords } from '../store/records.ts'

/** The records of somebody who was merged are the survivor's, on the audit trail and in the FHIR store, too. */
export async function moveMerged(
  merge: Merge,
  tx: Transaction,
  deps: Pick<ConsentDeps, 'outbox' | 'settings' | 'clock'>,
): Promise<number> {
  const now = deps.clock.now()
  const moved = await moveRecords(merge, now, tx)
  if (moved.length === 0) return 0
  for (const record of moved) await announceRecord(record, tx, deps)
  const before = (await chainHead(mergeChain, tx)) ?? emptyChain
  const { rows, head } = appendToChain(
    before,
    moved.map(({ id }) => recordMoved(merge, id, now)),
  )
  await writeEvents(mergeChain, rows, head, now, tx)
  return moved.length
}

/** A chain of all copies: whoever notes merges is alone with them, so that the rows are durable with what they tell. */
const mergeChain = '00000000-0000-7000-8000-000000000001'
