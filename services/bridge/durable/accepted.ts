import { sql } from '../../../packages/sql/sql.ts'

/** Of `bridge.transactions t`: it was through or parked once, or its sender was told AA or CA. */
export const wasAccepted = sql`
  (coalesce(t.ack_code in ('AA', 'CA'), false)
    or exists (select from bridge.attempts a where a.transaction_id = t.id and a.status in ('SUCCESS', 'QUEUED')))`
