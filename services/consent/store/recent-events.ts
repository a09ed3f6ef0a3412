import type { Queryable } from '../../../packages/sql/database.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'
import type { AuditEvent } from '../audit/audit-event.ts'

export interface WantedEvents {
  readonly subject?: string | undefined
  readonly patientId?: string | undefined
  /** Only what came before this instant. */
  readonly before?: Date | undefined
  readonly limit: number
}

export type LoggedEvent = Omit<AuditEvent, 'peer' | 'requestId' | 'decisionId' | 'asOf'>

const columns = sql`
  e.at, e.event, e.outcome, e.subject, e.client_id as "clientId", e.patient_id as "patientId",
  e.actor_references as "actorReferences", e.resource_type as "resourceType", e.operation,
  e.purpose_of_use as "purposeOfUse", e.record_id as "recordId", e.patients_seen as "patientsSeen"`

/** The newest rows of the audit trail, of one caller or about one patient where that is wanted. */
export async function recentEvents(wanted: WantedEvents, on: Queryable): Promise<LoggedEvent[]> {
  const { subject, patientId, before, limit } = wanted
  const earlier = before === undefined ? sql`true` : sql`e.at < ${before}`
  const rows = await on.many<Omit<LoggedEvent, 'recordId'> & { recordId: string | null }>(
    subject === undefined && patientId === undefined
      ? ofAll(earlier, limit)
      : sql`
          select ${columns} from consent.audit_events e
          where ${subject === undefined ? sql`true` : sql`e.subject = ${subject}`}
            and ${patientId === undefined ? sql`true` : sql`e.patient_id = ${patientId}`} and ${earlier}
          order by e.at desc limit ${limit}`,
  )
  return rows.map((row) => ({ ...row, recordId: row.recordId === null ? null : Number(row.recordId) }))
}

/**
 * Each running copy writes a chain of its own, in order: the newest rows of all are among the newest of the chains that
 * were written to last, and those are found by their key.
 */
const ofAll = (earlier: Statement, limit: number): Statement => sql`
  select ${columns}
  from (select chain from consent.audit_chains order by updated_at desc limit ${chainsMax}) c
  cross join lateral (
    select * from consent.audit_events e where e.chain = c.chain and ${earlier} order by e.position desc limit ${limit}
  ) e
  order by e.at desc limit ${limit}`

const chainsMax = 50
