import { sql, type Statement } from '../../../packages/sql/sql.ts'

/** Who tried what on whose referral. Ids only. */
export interface AuditRecord {
  readonly id: string
  /** An ISO instant: the record also travels as JSON. */
  readonly at: string
  readonly action: string
  readonly outcome: 'success' | 'refused'
  /** Null where a list was looked at, or the consent gate asked of a referral that is not yet kept. */
  readonly referralId: number | null
  readonly taskId: number | null
  readonly patientId: string | null
  /** Which list was looked at: `inbox Organization/…`, `mine` or `patient`. */
  readonly list?: string
  readonly subject: string
  readonly clientId: string
  readonly organisation: string | null
  readonly peer: string | null
  readonly requestId: string | null
}

export function insertAuditRecord(record: AuditRecord): Statement {
  return sql`
    insert into referral.audit_events (id, at, action, outcome, referral_id, task_id, patient_id, subject, client_id,
      organisation, peer, request_id, list)
    values (${record.id}, ${record.at}, ${record.action}, ${record.outcome}, ${record.referralId}, ${record.taskId},
      ${record.patientId}, ${record.subject}, ${record.clientId}, ${record.organisation}, ${record.peer},
      ${record.requestId}, ${record.list ?? null})`
}

/** Steps of referrals, also refused ones, within some time, the earliest first. */
export const auditTrail = (from: Date, to: Date): Statement =>
  sql`select * from referral.audit_events where at >= ${from} and at < ${to} order by at, id`
