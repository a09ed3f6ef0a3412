import type { Transaction } from '../../../packages/sql/database.ts'
import type { ConsentDeps } from '../deps.ts'
import type { ConsentRecord } from '../record/consent-record.ts'
import { holdChain, writeEvents } from '../store/audit-events.ts'
import { accessEvent, type Call } from './access.ts'
import { appendToChain } from './audit-event.ts'

/**
 * Written in the transaction of the change: there is none without its row. All copies share one chain, held from here to
 * the end of the transaction; people change consents far more seldom than they are decided on.
 */
export async function auditChange(
  outcome: 'CREATED' | 'CHANGED' | 'REVOKED',
  { patientId, id: recordId }: ConsentRecord,
  call: Call,
  tx: Transaction,
  { clock, ids, telling }: Pick<ConsentDeps, 'clock' | 'ids' | 'telling'>,
): Promise<void> {
  const { head: before, at } = await holdChain(changeChain, clock.now(), tx)
  const event = accessEvent(outcome, { patientId, recordId }, call, { id: ids.timeUuid(), at })
  const { rows, head } = appendToChain(before, [event])
  await writeEvents(changeChain, rows, head, at, tx)
  await telling?.tell([event], tx)
}

const changeChain = '00000000-0000-7000-8000-000000000002'
