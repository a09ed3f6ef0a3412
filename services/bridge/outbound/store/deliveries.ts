import type { Queryable } from '../../../../packages/sql/database.ts'
import { runInSteps, stepRows } from '../../../../packages/sql/in-steps.ts'
import { kept, sql, type Statement } from '../../../../packages/sql/sql.ts'
import { isHeld } from '../../../../packages/sql/tasks/task-end.ts'
import { taskTables } from '../../../../packages/sql/tasks/task-statements.ts'
import type { ClaimedTask } from '../../../../packages/sql/tasks/task.ts'
import { countShards } from '../../store/count-shards.ts'
import { switchedOff, type Delivery, type DeliveryStatus, type NewDelivery } from '../delivery.ts'
import { isOvertaken, isSuperseded, supersedesDead } from './superseded.ts'

/** Adds those that are not there yet, and says which. */
export async function addDeliveries(
  deliveries: readonly NewDelivery[],
  now: Date,
  on: Queryable,
): Promise<ReadonlySet<string>> {
  if (deliveries.length === 0) return new Set()
  const column = <Name extends keyof NewDelivery>(name: Name) => deliveries.map((delivery) => delivery[name])
  const rows = await on.many<{ id: string }>(
    kept(
      'bridge_add_deliveries',
      sql`
    insert into bridge.deliveries (id, subscription_id, transaction_id, patient, resource, version_id, channel, endpoint,
                                   payload, status, last_error, created_at, next_attempt_at, settled_at)
    select n.*, ${now}::timestamptz, case when n.status = 'waiting' then ${now}::timestamptz end,
           case when n.status <> 'waiting' then ${now}::timestamptz end
      from unnest(${column('id')}::uuid[], ${column('subscriptionId')}::text[], ${column('transactionId')}::text[],
                  ${column('patient')}::text[], ${column('resource')}::text[], ${column('versionId')}::text[],
                  ${column('channel')}::text[], ${column('endpoint')}::text[], ${column('payload')}::text[],
                  ${column('status')}::text[], ${column('lastError')}::text[])
           as n (id, subscription_id, transaction_id, patient, resource, version_id, channel, endpoint, payload, status,
                 last_error)
    on conflict (id) do nothing
    returning id`,
    ),
  )
  const added = new Set(rows.map(({ id }) => id))
  const skipped = deliveries.filter(({ id, status }) => status === 'skipped' && added.has(id))
  if (skipped.length > 0) {
    const subscriptions = skipped.map(({ subscriptionId }) => subscriptionId)
    const counted = sql`select subscription_id, 0, count(*), null::timestamptz from unnest(${subscriptions}::text[]) as s (subscription_id)`
    await on.run(addCounts(counted, shardOf(skipped)))
  }
  return added
}

/** In the order asked; undefined for one that is gone. */
export async function readDeliveries(ids: readonly string[], on: Queryable): Promise<(Delivery | undefined)[]> {
  const rows = await on.many<Delivery>(kept('bridge_read_deliveries', sql`${selected} where id = any(${ids}::uuid[])`))
  return inOrderOf(ids, rows)
}

export interface ToSend extends Delivery {
  /** A newer version has arrived before it. */
  readonly isOvertaken: boolean
}

/** The same for whoever sends them. */
export async function readToSend(ids: readonly string[], on: Queryable): Promise<(ToSend | undefined)[]> {
  const rows = await on.many<ToSend>(
    kept(
      'bridge_read_to_send',
      sql`
      select ${columns}, ${isOvertaken(sql`deliveries`)} as "isOvertaken"
        from bridge.deliveries where id = any(${ids}::uuid[])`,
    ),
  )
  return inOrderOf(ids, rows)
}

function inOrderOf<Row extends { readonly id: string }>(
  ids: readonly string[],
  rows: readonly Row[],
): (Row | undefined)[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id))
}

/** What came of an attempt. */
export interface Settlement {
  readonly id: string
  /** The task in which it was attempted, as it was claimed. */
  readonly task: Pick<ClaimedTask, 'shard' | 'id' | 'lease'>
  readonly status: DeliveryStatus
  /** Where it went in the end; null where that is not said. */
  readonly endpoint: string | null
  readonly attempts: number
  readonly at: Date
  readonly nextAttemptAt: Date | null
  readonly lastError: string | null
  readonly answered: string | null
}

/** As a parameter: a plan that knew the word would go through all that wait, for each that is settled. */
const waiting = 'waiting'

/** For the transaction in which their tasks end. What another copy has taken over meanwhile is left to it. */
export function settleDeliveries(settlements: readonly Settlement[]): Statement | undefined {
  if (settlements.length === 0) return undefined
  const column = <Name extends keyof Settlement>(name: Name) => settlements.map((settlement) => settlement[name])
  const tasks = column('task')
  return kept(
    'bridge_settle_deliveries',
    sql`
    with settled as (
    update bridge.deliveries as d
       set status = n.status, endpoint = coalesce(n.endpoint, d.endpoint), attempts = n.attempts,
           next_attempt_at = n.next_attempt_at,
           settled_at = case when n.status <> 'waiting' then n.at end,
           last_error = n.last_error, answered = n.answered
      from unnest(${column('id')}::uuid[], ${column('status')}::text[], ${column('endpoint')}::text[],
                  ${column('attempts')}::integer[], ${column('at')}::timestamptz[],
                  ${column('nextAttemptAt')}::timestamptz[], ${column('lastError')}::text[], ${column('answered')}::text[],
                  ${tasks.map(({ shard }) => shard)}::smallint[], ${tasks.map(({ id }) => id)}::uuid[],
                  ${tasks.map(({ lease }) => lease)}::uuid[])
           as n (id, status, endpoint, attempts, at, next_attempt_at, last_error, answered, shard, task_id, lease)
     where d.id = n.id and d.status = ${waiting} and ${isHeld(taskTables.outbox, sql`n`)}
    returning d.subscription_id, d.status, d.settled_at)
    ${addCounts(
      sql`
      select subscription_id, count(*) filter (where status = 'delivered'), count(*) filter (where status = 'skipped'),
             max(settled_at) filter (where status = 'delivered')
        from settled where status in ('delivered', 'skipped')`,
      shardOf(settlements),
    )}`,
  )
}

/** Ids are as good as random. */
const shardOf = ([first]: readonly { readonly id: string }[]): number =>
  Number.parseInt(first?.id.slice(0, 2) ?? '0', 16) % countShards

/** Adds to the counters what was counted by subscription, in one order, so that two writers do not wait for each other. */
const addCounts = (counted: Statement, shard: number): Statement => sql`
  insert into bridge.delivery_counts as c (subscription_id, delivered, skipped, last_delivered_at, shard)
  select n.*, ${shard}::smallint from (${counted} group by subscription_id order by subscription_id) as n
  on conflict (subscription_id, shard) do update set
    delivered = c.delivered + excluded.delivered, skipped = c.skipped + excluded.skipped,
    last_delivered_at = greatest(c.last_delivered_at, excluded.last_delivered_at)`

/**
 * Makes one wait again that arrived, is dead, or was left out while its subscription was off. Undefined when it is not
 * there, is waiting already, was left out by what it is, or would undo what has gone out since.
 */
export async function reopenDelivery(id: string, by: string, now: Date, on: Queryable): Promise<Delivery | undefined> {
  const changed = await on.many(sql`
    with settled as (
      select d.id, d.subscription_id, d.status from bridge.deliveries as d
       where d.id = ${id}::uuid
         and (d.status in ('delivered', 'dead') or (d.status = 'skipped' and d.last_error = ${switchedOff}))
         and not ${isSuperseded(sql`d`)} for update of d),
    reopened as (
      update bridge.deliveries as d set status = 'waiting', attempts = 0, next_attempt_at = ${now}, settled_at = null,
             last_error = null, answered = null, resent_at = ${now}, resent_by = ${by}
        from settled where d.id = settled.id
      returning settled.subscription_id, settled.status),
    counted as (${addCounts(
      sql`
      select subscription_id, -count(*) filter (where status = 'delivered'),
             -count(*) filter (where status = 'skipped'), null::timestamptz
        from reopened where status in ('delivered', 'skipped')`,
      0,
    )})
    select 1 from reopened`)
  return changed.length === 0 ? undefined : (await readDeliveries([id], on))[0]
}

/** How the last ones of a subscription ended, the newest first: by when they were made, of which there is an index. */
export async function lastOutcomes(subscriptionId: string, count: number, on: Queryable): Promise<DeliveryStatus[]> {
  const rows = await on.many<{ status: DeliveryStatus }>(sql`
    select status from bridge.deliveries where subscription_id = ${subscriptionId} and status in ('delivered', 'dead')
     order by created_at desc, id limit ${count}`)
  return rows.map(({ status }) => status)
}

/** What was sent because of a message, in the order of its subscriptions. */
export const listDeliveries = (transactionId: string, on: Queryable): Promise<Delivery[]> =>
  on.many<Delivery>(sql`${selected} where transaction_id = ${transactionId} order by subscription_id, created_at, id`)

/** Of one subscription, in one state, or both. Of all subscriptions only what is open has an index. */
export interface DeliveryFilter {
  readonly subscriptionId?: string | undefined
  readonly status?: DeliveryStatus | undefined
}

/** The newest first. Which they are is found in an index; only of the page are the rows read, with what was sent. */
export const findDeliveries = (
  { subscriptionId, status }: DeliveryFilter,
  page: { readonly limit: number; readonly offset?: number },
  on: Queryable,
): Promise<Delivery[]> =>
  on.many<Delivery>(sql`
    ${selected} where id in (
      select id from bridge.deliveries
       where ${subscriptionId === undefined ? sql`true` : sql`subscription_id = ${subscriptionId}`}
         and ${status === undefined ? sql`true` : sql`status = ${status}`}
       order by created_at desc, id limit ${page.limit} offset ${page.offset ?? 0})
     order by created_at desc, id`)

export interface DeliveryCounts {
  readonly subscriptionId: string
  readonly waiting: number
  readonly delivered: number
  readonly dead: number
  readonly skipped: number
  readonly lastDeliveredAt: Date | null
}

export const countDeliveries = (on: Queryable): Promise<DeliveryCounts[]> =>
  on.many<DeliveryCounts>(countedWhere(sql`true`))

/** Of one subscription; what it has not sent are zeros. */
export async function countDeliveriesOf(subscriptionId: string, on: Queryable): Promise<DeliveryCounts> {
  const counted = await on.maybe<DeliveryCounts>(countedWhere(sql`subscription_id = ${subscriptionId}`))
  return counted ?? { subscriptionId, waiting: 0, delivered: 0, dead: 0, skipped: 0, lastDeliveredAt: null }
}

/** What is open is few and has an index; the rest of the log is not looked at. */
const countedWhere = (condition: Statement): Statement => sql`
  select subscription_id as "subscriptionId", sum(waiting)::int as waiting, sum(delivered)::int as delivered,
         sum(dead)::int as dead, sum(skipped)::int as skipped, max(last_delivered_at) as "lastDeliveredAt"
    from (
      select subscription_id, (status = 'waiting')::int as waiting, (status = 'dead')::int as dead,
             0 as delivered, 0 as skipped, null as last_delivered_at
        from bridge.deliveries where status in ('waiting', 'dead') and ${condition}
      union all
      select subscription_id, 0, 0, delivered, skipped, last_delivered_at
        from bridge.delivery_counts where ${condition}) as parts
   group by subscription_id`

/** Whether anything of a subscription is in the log. */
export async function hasDeliveries(subscriptionId: string, on: Queryable): Promise<boolean> {
  const { has } = await on.one<{ has: boolean }>(sql`
    select exists (select from bridge.deliveries where subscription_id = ${subscriptionId}) as has`)
  return has
}

/** Until when what was settled is forgotten: by whether it is dead, which somebody may still want to send again. */
export interface Forgotten {
  readonly settledBefore: Date
  readonly deadBefore: Date
}

/**
 * The log is not endless; what is not settled stays, and so does what supersedes one that is dead. Nothing is settled
 * before it was made, of which each subscription has an index: they are looked at one after the other, because the whole
 * log was read every hour otherwise.
 */
export function pruneDeliveries(
  { settledBefore, deadBefore }: Forgotten,
  on: Pick<Queryable, 'run'>,
  signal?: AbortSignal,
): Promise<number> {
  const madeBefore = settledBefore > deadBefore ? settledBefore : deadBefore
  const isPast = sql`settled_at < case when status in ('delivered', 'skipped') then ${settledBefore}::timestamptz
                                       when status = 'dead' then ${deadBefore}::timestamptz end`
  return runInSteps(
    // The state is asked for again of the row itself: one that somebody sends again in the meantime stays.
    sql`
    with recursive subscription (id) as (
      (select subscription_id from bridge.deliveries order by subscription_id limit 1)
      union all
      select next.id from subscription cross join lateral (
        select d.subscription_id as id from bridge.deliveries as d
         where d.subscription_id > subscription.id order by d.subscription_id limit 1) as next),
    gone as (delete from bridge.deliveries where id in (
      select old.id from subscription cross join lateral (
        select d.id from bridge.deliveries as d
         where d.subscription_id = subscription.id and d.created_at < ${madeBefore} and ${isPast}
           and not ${supersedesDead(sql`d`)}
         limit ${stepRows}) as old
       limit ${stepRows})
      and ${isPast}
      returning subscription_id, status),
    counted as (${addCounts(
      sql`
      select subscription_id, -count(*) filter (where status = 'delivered'),
             -count(*) filter (where status = 'skipped'), null::timestamptz
        from gone where status in ('delivered', 'skipped')`,
      0,
    )})
    select 1 from gone`,
    on,
    signal,
  )
}

const columns: Statement = sql`
  id, subscription_id as "subscriptionId", transaction_id as "transactionId", patient, resource,
  version_id as "versionId", channel, endpoint, payload, status, attempts, created_at as "createdAt",
  next_attempt_at as "nextAttemptAt", settled_at as "settledAt", last_error as "lastError", answered,
  resent_at as "resentAt", resent_by as "resentBy"`

const selected: Statement = sql`select ${columns} from bridge.deliveries`
