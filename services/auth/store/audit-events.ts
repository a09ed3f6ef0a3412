import type { Queryable } from '../../../packages/sql/database.ts'
import { named, sql, type Statement } from '../../../packages/sql/sql.ts'

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
  const of = <Key extends keyof AuditEvent>(key: Key) => events.map((event) => event[key] ?? null)
  return named(
    'auth-audit',
    sql`
    insert into auth.audit_events (id, at, event, outcome, username, subject, client_id, grant_id, patient, peer,
      request_id, reason)
    select * from unnest(${of('id')}::uuid[], ${of('at')}::timestamptz[], ${of('event')}::text[],
      ${of('outcome')}::text[], ${of('username')}::text[], ${of('subject')}::text[], ${of('clientId')}::text[],
      ${of('grantId')}::uuid[], ${of('patient')}::text[], ${of('peer')}::text[], ${of('requestId')}::text[],
      ${of('reason')}::text[])`,
  )
}

/** The request that an event came of, for the statements that write the event themselves. */
export interface AuditedRequest {
  readonly auditId: string
  readonly peer: string
  readonly requestId: string
}

/** An event as it is read: its time as text, and nothing in the place of what it does not have. */
export type WrittenEvent = Omit<AuditEvent, 'at'> & { readonly at: string }

export async function findAuditEvent(id: string, on: Queryable): Promise<WrittenEvent | undefined> {
  const row = await on.maybe<{ event: WrittenEvent }>(
    named(
      'auth-audit-event',
      sql`
    select jsonb_strip_nulls(jsonb_build_object('id', id, 'at', at, 'event', event, 'outcome', outcome,
      'username', username, 'subject', subject, 'clientId', client_id, 'grantId', grant_id, 'patient', patient,
      'peer', peer, 'requestId', request_id, 'reason', reason)) as event
    from auth.audit_events where id = ${id}`,
    ),
  )
  return row?.event
}
