import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import type { PageRequest } from '../../../packages/http/page-envelope.ts'
import type { Queryable } from '../../../packages/sql/database.ts'
import { joined, sql, type Statement } from '../../../packages/sql/sql.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'

const ofAlerts = ['alert', 'acknowledged'] as const

/**
 * At what: the parts of a message, what a search found, bytes that were no message, what is known of a patient, a critical
 * result; and `acknowledged`, when somebody said that they have seen one.
 */
export const lookedAt = ['raw', 'fhir', 'ack', 'search', 'review', 'noise', 'summary', 'cards', ...ofAlerts] as const

export interface Look {
  readonly caller: Pick<Caller, 'subject' | 'clientId'>
  readonly transactionId: string
  /** `Patient/…`, where no message tells who it is about. */
  readonly patient?: string
  readonly what: (typeof lookedAt)[number]
  readonly requestId: string
}

interface LookDeps {
  /** The database, or the transaction of what must not happen without its look. */
  readonly database: Queryable
  readonly clock: Clock
  readonly ids: Ids
}

/** Written before anything is shown: a look that leaves no trace does not happen. */
export const recordLook = (look: Look, deps: LookDeps): Promise<void> => recordLooks([look], deps)

/** The same for what stands on one page. */
export async function recordLooks(looks: readonly Look[], { database, clock, ids }: LookDeps): Promise<void> {
  if (looks.length === 0) return
  const column = <Value>(of: (look: Look) => Value) => looks.map(of)
  await database.run(
    sql`insert into bridge.looks (id, looked_at, subject, client_id, transaction_id, patient, what, request_id)
      select id, ${clock.now()}, subject, client_id, transaction_id, patient, what, request_id
      from unnest(${column(() => ids.timeUuid())}::uuid[], ${column(({ caller }) => caller.subject)}::text[],
        ${column(({ caller }) => caller.clientId)}::text[], ${column(({ transactionId }) => transactionId)}::text[],
        ${column(({ patient }) => patient ?? null)}::text[], ${column(({ what }) => what)}::text[],
        ${column(({ requestId }) => requestId)}::text[])
        as looks (id, subject, client_id, transaction_id, patient, what, request_id)`,
  )
}

export interface KeptLook {
  readonly at: Date
  readonly subject: string
  readonly clientId: string
  readonly transactionId: string | null
  readonly patient: string | null
  readonly what: Look['what']
  readonly requestId: string
}

export interface LookFilter {
  readonly subject?: string | undefined
  readonly transactionId?: string | undefined
  /** The bare id. Also who a message was about that somebody looked at. */
  readonly patientId?: string | undefined
  /** Days in UTC, both inclusive. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The newest first; their ids begin with the time. */
export async function listLooks(
  { subject, transactionId, patientId, from, to }: LookFilter,
  { offset, size }: PageRequest,
  on: Queryable,
): Promise<{ readonly rows: readonly KeptLook[]; readonly total: number }> {
  const which = joined(
    [
      sql`true`,
      ...(subject === undefined ? [] : [sql`l.subject = ${subject}`]),
      ...(transactionId === undefined ? [] : [sql`l.transaction_id = ${transactionId}`]),
      ...(patientId === undefined ? [] : [isAbout(patientId)]),
      ...(from === undefined ? [] : [sql`l.looked_at >= ${startOf(from)}`]),
      ...(to === undefined ? [] : [sql`l.looked_at < ${startOf(to)}::timestamptz + interval '1 day'`]),
    ],
    'and',
  )
  const [rows, { total }] = await Promise.all([
    on.many<KeptLook>(sql`
      select l.looked_at as at, l.subject, l.client_id as "clientId", nullif(l.transaction_id, '') as "transactionId",
        l.patient, l.what, l.request_id as "requestId"
      from bridge.looks l where ${which} order by l.id desc offset ${offset} limit ${size}`),
    on.one<{ total: number }>(sql`select count(*)::int as total from bridge.looks l where ${which}`),
  ])
  return { rows, total }
}

const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`)

const isAbout = (patientId: string) => sql`(l.patient = ${`Patient/${patientId}`} or l.transaction_id in (
  select t.id from bridge.transactions t
  where t.patient = ${`Patient/${patientId}`} or t.golden_patient_id = ${patientId}))`

/** All of them within some time, the earliest first. */
export const looksBetween = (from: Date, to: Date): Statement =>
  sql`select * from bridge.looks where looked_at >= ${from} and looked_at < ${to} order by looked_at, id`
