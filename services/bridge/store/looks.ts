import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'

export interface Look {
  readonly caller: Pick<Caller, 'subject' | 'clientId'>
  readonly transactionId: string
  readonly what: 'raw' | 'fhir' | 'ack' | 'search' | 'review' | 'noise' | 'summary' | 'cards'
  readonly requestId: string
}

/** Written before anything is shown: a look that leaves no trace does not happen. */
export async function recordLook(
  { caller, transactionId, what, requestId }: Look,
  { database, clock, ids }: { database: Database; clock: Clock; ids: Ids },
): Promise<void> {
  await database.run(
    sql`insert into bridge.looks (id, looked_at, subject, client_id, transaction_id, what, request_id)
      values (${ids.timeUuid()}, ${clock.now()}, ${caller.subject}, ${caller.clientId}, ${transactionId}, ${what}, ${requestId})`,
  )
}
