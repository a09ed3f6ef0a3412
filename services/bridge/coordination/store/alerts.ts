import type { PageRequest } from '../../../../packages/http/page-envelope.ts'
import type { Queryable } from '../../../../packages/sql/database.ts'
import { runInSteps, stepRows } from '../../../../packages/sql/in-steps.ts'
import { kept, sql, type Statement } from '../../../../packages/sql/sql.ts'

/** A critical result that somebody must have seen. */
export interface Alert {
  readonly id: string
  readonly patient: string
  readonly resource: string
  readonly transactionId: string
  readonly raisedAt: Date
  readonly escalations: number
  readonly escalateAt: Date | null
  readonly acknowledgedAt: Date | null
  readonly acknowledgedBy: string | null
}

export const alertStatuses = ['open', 'acknowledged'] as const
export type AlertStatus = (typeof alertStatuses)[number]

interface NewAlert extends Pick<Alert, 'id' | 'patient' | 'resource' | 'transactionId' | 'raisedAt' | 'escalateAt'> {
  /** The version before was as critical, in the same way: whoever was told of that knows. */
  readonly isKnown?: boolean
}

/** The ids of those that were not raised before. */
export async function raiseAlerts(alerts: readonly NewAlert[], on: Queryable): Promise<readonly string[]> {
  if (alerts.length === 0) return []
  const column = <Name extends keyof NewAlert>(name: Name) => alerts.map((alert) => alert[name])
  const raised = await on.many<{ id: string }>(
    kept(
      'bridge_raise_alerts',
      sql`
    insert into bridge.alerts (id, patient, resource, transaction_id, raised_at, escalate_at)
    select n.id, n.patient, n.resource, n.transaction_id, n.raised_at, n.escalate_at
      from unnest(${column('id')}::uuid[], ${column('patient')}::text[], ${column('resource')}::text[],
                  ${column('transactionId')}::text[], ${column('raisedAt')}::timestamptz[],
                  ${column('escalateAt')}::timestamptz[], ${alerts.map(({ isKnown }) => isKnown === true)}::boolean[])
           as n (id, patient, resource, transaction_id, raised_at, escalate_at, is_known)
     where not (n.is_known and exists (
       select from bridge.alerts as a where a.patient = n.patient and a.resource = n.resource))
    on conflict (id) do nothing returning id`,
    ),
  )
  return raised.map(({ id }) => id)
}

/** A result that is another patient's by now. */
export interface MovedResult {
  readonly resource: string
  readonly from: string
  readonly to: string
}

/** What nobody has acknowledged goes along with its result; the answer is which results had such alerts. */
export async function moveAlerts(moved: readonly MovedResult[], on: Queryable): Promise<ReadonlySet<string>> {
  if (moved.length === 0) return new Set()
  const column = (name: keyof MovedResult) => moved.map((one) => one[name])
  const gone = await on.many<{ resource: string }>(
    kept(
      'bridge_move_alerts',
      sql`
    update bridge.alerts as a set patient = n.now
      from unnest(${column('resource')}::text[], ${column('from')}::text[], ${column('to')}::text[])
           as n (resource, was, now)
     where a.patient = n.was and a.resource = n.resource and a.acknowledged_at is null
    returning a.resource`,
    ),
  )
  return new Set(gone.map(({ resource }) => resource))
}

export const readAlert = (id: string, on: Queryable): Promise<Alert | undefined> =>
  on.maybe<Alert>(sql`${selected} where id = ${id}::uuid`)

/** Open ones by how long they have waited, the longest first; the others by when they were acknowledged, the latest first. */
export async function listAlerts(
  status: AlertStatus,
  { offset, size }: PageRequest,
  on: Queryable,
): Promise<{ readonly rows: readonly Alert[]; readonly total: number }> {
  const [which, order] =
    status === 'open'
      ? [sql`acknowledged_at is null`, sql`raised_at, id`]
      : [sql`acknowledged_at is not null`, sql`acknowledged_at desc, id`]
  const [rows, { total }] = await Promise.all([
    on.many<Alert>(sql`${selected} where ${which} order by ${order} offset ${offset} limit ${size}`),
    on.one<{ total: number }>(sql`select count(*)::int as total from bridge.alerts where ${which}`),
  ])
  return { rows, total }
}

/** How many nobody has acknowledged, and since when the longest waiting one is there. */
interface OpenAlerts {
  readonly open: number
  readonly oldest: Date | null
}

export const openAlertState = (on: Queryable): Promise<OpenAlerts> =>
  on.one(sql`
    select count(*)::int as open, min(raised_at) as oldest from bridge.alerts where acknowledged_at is null`)

/** False when another copy was quicker, or somebody has acknowledged it meanwhile. */
export async function countEscalation(
  { id, escalations }: Alert,
  escalateAt: Date | null,
  on: Queryable,
): Promise<boolean> {
  const changed = await on.run(sql`
    update bridge.alerts set escalations = escalations + 1, escalate_at = ${escalateAt}
     where id = ${id}::uuid and escalations = ${escalations} and acknowledged_at is null`)
  return changed === 1
}

/** False when there is no such alert, or somebody was first. */
export async function acknowledgeAlert(id: string, by: string, now: Date, on: Queryable): Promise<boolean> {
  const changed = await on.run(sql`
    update bridge.alerts set acknowledged_at = ${now}, acknowledged_by = ${by}, escalate_at = null
     where id = ${id}::uuid and acknowledged_at is null`)
  return changed === 1
}

export async function isAcknowledgedBy(id: string, by: string, on: Queryable): Promise<boolean> {
  const found = await on.maybe(sql`select 1 from bridge.alerts where id = ${id}::uuid and acknowledged_by = ${by}`)
  return found !== undefined
}

/** What nobody has acknowledged stays. */
export const forgetAcknowledged = (before: Date, on: Queryable, signal?: AbortSignal): Promise<number> =>
  runInSteps(
    sql`
    delete from bridge.alerts where id in (
      select id from bridge.alerts where acknowledged_at < ${before} limit ${stepRows})`,
    on,
    signal,
  )

const selected: Statement = sql`
  select id, patient, resource, transaction_id as "transactionId", raised_at as "raisedAt", escalations,
         escalate_at as "escalateAt", acknowledged_at as "acknowledgedAt", acknowledged_by as "acknowledgedBy"
    from bridge.alerts`
