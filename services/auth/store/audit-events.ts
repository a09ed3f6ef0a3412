import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'

/** One row of the audit trail. Ids only: no name, no token, no free text of a caller's. */
export interface AuditEvent {
  readonly id: string
  readonly at: Date
  readonly event: string
  readonly outcome: 'success' | 'failure'
  readonly username?: string | undefined
  readonly subject?: string | undefined
  readonly clientId?: string | undefined
  readonly grantId?: string | undefined
  readonly patient?: string | undefined
  readonly peer?: string | undefined
  readonly requestId?: string | undefined
  readonly reason?: string | undefined
}

export async function addAuditEvent(event: AuditEvent, on: Queryable): Promise<void> {
  await on.run(sql`
    insert into auth.audit_events (id, at, event, outcome, username, subject, client_id, grant_id, patient, peer,
      request_id, reason)
    values (${event.id}, ${event.at}, ${event.event}, ${event.outcome}, ${event.username ?? null},
      ${event.subject ?? null}, ${event.clientId ?? null}, ${event.grantId ?? null}, ${event.patient ?? null},
      ${event.peer ?? null}, ${event.requestId ?? null}, ${event.reason ?? null})`)
}
