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
  readonly patient?: string | null | undefined
  readonly peer?: string | undefined
  readonly requestId?: string | undefined
  readonly reason?: string | undefined
  /** Who did it at the machine, and so none of those above: `os:<user>` by a command, or `configuration` by a start. */
  readonly operator?: string | undefined
}

/** Many events cost one statement. Nothing is looked up in it, so there is only one plan to keep. */
export function addAuditEvents(events: readonly AuditEvent[]): Statement {
  const of = <Key extends keyof AuditEvent>(key: Key) => events.map((event) => event[key] ?? null)
  return named(
    'auth-audit',
    sql`
    insert into auth.audit_events (id, at, event, outcome, username, subject, client_id, grant_id, patient, peer,
      request_id, reason, operator)
    select * from unnest(${of('id')}::uuid[], ${of('at')}::timestamptz[], ${of('event')}::text[],
      ${of('outcome')}::text[], ${of('username')}::text[], ${of('subject')}::text[], ${of('clientId')}::text[],
      ${of('grantId')}::uuid[], ${of('patient')}::text[], ${of('peer')}::text[], ${of('requestId')}::text[],
      ${of('reason')}::text[], ${of('operator')}::text[])`,
  )
}

/** The request that an event came of, for the statements that write the event themselves. */
export interface AuditedRequest {
  readonly auditId: string
  readonly peer: string
  readonly requestId: string
}

/** An event as it is read: its time as text, and nothing in the place of what it does not have. */
export interface WrittenEvent extends Omit<AuditEvent, 'at' | 'patient'> {
  readonly at: string
  readonly patient?: string | undefined
  /** The record of the person, where an account is known. */
  readonly fhirUser?: string | undefined
}

export async function findAuditEvent(id: string, on: Queryable): Promise<WrittenEvent | undefined> {
  const row = await on.maybe<{ event: WrittenEvent }>(
    named(
      'auth-audit-event',
      sql`
    select jsonb_strip_nulls(jsonb_build_object('id', e.id, 'at', e.at, 'event', e.event, 'outcome', e.outcome,
      'username', e.username, 'subject', coalesce(e.subject, u.subject), 'fhirUser', u.fhir_user,
      'clientId', e.client_id, 'grantId', e.grant_id, 'patient', e.patient, 'peer', e.peer,
      'requestId', e.request_id, 'reason', e.reason, 'operator', e.operator)) as event
    from auth.audit_events e
    left join auth.users u on u.id = coalesce(
      (select s.id from auth.users s where s.subject = e.subject),
      (select n.id from auth.users n where n.username = e.username and e.subject is null))
    where e.id = ${id}`,
    ),
  )
  return row?.event
}

/** What happened within some time, the earliest first. */
export const auditTrail = (from: Date, to: Date): Statement =>
  sql`select * from auth.audit_events where at >= ${from} and at < ${to} order by at, id`
