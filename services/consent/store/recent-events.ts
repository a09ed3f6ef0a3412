import type { Queryable } from '../../../packages/sql/database.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'
import { idsOfPerson } from '../../../ports/patient-index/merges/merge-table.ts'
import type { AuditEvent } from '../audit/audit-event.ts'
import { mergeTables } from './merged-patients.ts'

/** What the trail holds: questions with their answers, what was done to records, and who was shown some. */
export const logKinds = ['decisions', 'changes', 'looks'] as const
export type LogKind = (typeof logKinds)[number]

export interface WantedEvents {
  /** All where none is wanted. */
  readonly kind?: LogKind | undefined
  readonly subject?: string | undefined
  /** Under whichever of their ids: what happened before a merge happened to the same person. */
  readonly patientId?: string | undefined
  /** Only what comes after this row in the list, or what came before this instant. */
  readonly before?: EventPlace | Pick<EventPlace, 'at'> | undefined
  readonly limit: number
}

/** Where an event stands in the list: many are of one millisecond. */
export interface EventPlace {
  readonly at: Date
  readonly chain: string
  readonly position: number
}

export type LoggedEvent = Omit<AuditEvent, 'peer' | 'requestId' | 'decisionId' | 'asOf'>

const columns = sql`
  e.chain, e.position, e.at, e.event, e.outcome, e.subject, e.client_id as "clientId", e.patient_id as "patientId",
  e.actor_references as "actorReferences", e.resource_type as "resourceType", e.operation,
  e.purpose_of_use as "purposeOfUse", e.record_id as "recordId", e.patients_seen as "patientsSeen"`

/** The newest rows of the audit trail, of one kind, of one caller or about one patient where that is wanted. */
export async function recentEvents(wanted: WantedEvents, on: Queryable): Promise<(LoggedEvent & EventPlace)[]> {
  const { kind, subject, patientId, before, limit } = wanted
  const earlier = before === undefined ? sql`true` : isEarlierThan(before)
  const isOfKind = kind === undefined ? sql`true` : kinds[kind]
  const ids = patientId === undefined ? undefined : await idsOfPerson(patientId, mergeTables, on)
  const isOfAll = subject === undefined && patientId === undefined && kind !== 'looks' && kind !== 'changes'
  const rows = await on.many<EventRow>(
    isOfAll
      ? ofAll(earlier, isOfKind, limit)
      : sql`
          select ${columns} from consent.audit_events e
          where ${subject === undefined ? sql`true` : sql`e.subject = ${subject}`}
            and ${ids === undefined ? sql`true` : sql`e.patient_id = any (${ids}::text[])`} and ${earlier} and ${isOfKind}
          order by e.at desc, e.chain desc, e.position desc limit ${limit}`,
  )
  return rows.map((row) => ({
    ...row,
    position: Number(row.position),
    recordId: row.recordId === null ? null : Number(row.recordId),
  }))
}

/** Written out: looks and changes have indexes for these words. */
const kinds: Readonly<Record<LogKind, Statement>> = {
  decisions: sql`e.event = 'evaluation'`,
  changes: sql`e.outcome in ('CREATED', 'CHANGED', 'REVOKED', 'MOVED')`,
  looks: sql`e.outcome = 'SHOWN'`,
}

type EventRow = Omit<LoggedEvent & EventPlace, 'position' | 'recordId'> & {
  readonly position: string
  readonly recordId: string | null
}

const isEarlierThan = (place: EventPlace | Pick<EventPlace, 'at'>): Statement =>
  'chain' in place
    ? sql`(e.at, e.chain, e.position) < (${place.at}::timestamptz, ${place.chain}::uuid, ${place.position}::bigint)`
    : sql`e.at < ${place.at}`

/**
 * Each running copy writes a chain of its own, in order: the newest rows of all are among the newest of the chains that
 * were written to last, and those are found by their key. A chain that began later has nothing to add; each of the others
 * has a row at least, so as many as there are rows wanted suffice, and those that were being written to at the time.
 */
const ofAll = (earlier: Statement, isOfKind: Statement, limit: number): Statement => sql`
  select ${columns}
  from (
    select chain from consent.audit_chains c
    where exists (
      select from (select * from consent.audit_events e where e.chain = c.chain and ${isOfKind} order by e.position limit 1) e
      where ${earlier}
    )
    order by updated_at desc limit ${limit + copiesMax}
  ) c
  cross join lateral (
    select * from consent.audit_events e
    where e.chain = c.chain and ${earlier} and ${isOfKind} order by e.position desc limit ${limit}
  ) e
  order by e.at desc, e.chain desc, e.position desc limit ${limit}`

/** More copies than this at a time are not expected. */
const copiesMax = 50
