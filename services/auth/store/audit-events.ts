import { json, named, sql, type Statement } from '../../../packages/sql/sql.ts'

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

/** Many events cost one statement. Nothing is looked up in it, so there is only one plan to keep. */
export function addAuditEvents(events: readonly AuditEvent[]): Statement {
  const rows = events.map((event) => ({
    ...event,
    client_id: event.clientId,
    grant_id: event.grantId,
    request_id: event.requestId,
  }))
  return named(
    'auth-audit',
    sql`
    insert into auth.audit_events (id, at, event, outcome, username, subject, client_id, grant_id, patient, peer,
      request_id, reason)
    select r.id, r.at, r.event, r.outcome, r.username, r.subject, r.client_id, r.grant_id, r.patient, r.peer,
      r.request_id, r.reason
    from jsonb_to_recordset(${json(rows)}::jsonb) as r (id uuid, at timestamptz, event text, outcome text,
      username text, subject text, client_id text, grant_id uuid, patient text, peer text, request_id text, reason text)`,
  )
}
