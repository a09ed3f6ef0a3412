import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { isDeadLetter } from './dead-letters.ts'
import { idAt } from './transaction-id.ts'
import type { ChannelId } from '../pipeline/channel.ts'
import type { Stage } from '../pipeline/stage.ts'
import type { TransactionStatus } from './transactions.ts'

/** How many messages of a channel came in within a minute and ended in the same way. */
export interface MinuteCount {
  /** `20260304-1015`: ids begin with the minute. */
  readonly minute: string
  readonly channelId: ChannelId
  readonly status: TransactionStatus
  readonly ackCode: string | null
  readonly messages: number
}

export const countsByMinute = (from: Date, to: Date, on: Queryable): Promise<MinuteCount[]> =>
  on.many(sql`
    select left(id, 13) as minute, channel_id as "channelId", status, ack_code as "ackCode", count(*)::int as messages
    from bridge.transactions where id >= ${idAt(from)} and id < ${idAt(to)}
    group by 1, channel_id, status, ack_code`)

export const mediansByMinute = (from: Date, to: Date, on: Queryable): Promise<{ minute: string; ms: number }[]> =>
  on.many(sql`
    select left(id, 13) as minute, percentile_cont(0.5) within group (order by duration_ms) as ms
    from bridge.transactions where id >= ${idAt(from)} and id < ${idAt(to)} and duration_ms is not null
    group by 1`)

export interface StageTimes {
  readonly stage: Stage | 'ALL'
  readonly p50: number
  readonly p95: number
}

/** How long each stage, and all of them, took with the newest messages. */
export const stageTimes = (since: Date, on: Queryable): Promise<StageTimes[]> =>
  on.many(sql`
    with newest as (
      select stage_ms, duration_ms from bridge.transactions
      where id >= ${idAt(since)} and status <> 'DUPLICATE' order by id desc limit ${sampleMax}),
    times as (
      select s.key as stage, s.value::float8 as ms from newest, jsonb_each_text(newest.stage_ms) s
      union all
      select 'ALL', duration_ms from newest where duration_ms is not null)
    select stage, percentile_cont(0.5) within group (order by ms) as p50,
      percentile_cont(0.95) within group (order by ms) as p95
    from times group by stage`)

const sampleMax = 1_000

export interface Backlog {
  readonly lastMinute: number
  readonly failed: number
  readonly deliveriesWaiting: number
  readonly deliveriesDead: number
}

/** What came just now, what failed within a day and was not sent again, and what still waits to be sent on. */
export function backlog(now: Date, on: Queryable): Promise<Backlog> {
  const minuteAgo = idAt(new Date(now.getTime() - 60_000))
  const dayAgo = idAt(new Date(now.getTime() - 86_400_000))
  return on.one(sql`
    select
      (select count(*)::int from bridge.transactions where id >= ${minuteAgo}) as "lastMinute",
      (select count(*)::int from bridge.transactions t where ${isDeadLetter} and t.id >= ${dayAgo}) as failed,
      (select count(*)::int from bridge.deliveries where status = 'waiting') as "deliveriesWaiting",
      (select count(*)::int from bridge.deliveries where status = 'dead') as "deliveriesDead"`)
}

export interface LatestMessage {
  readonly id: string
  readonly channelId: ChannelId
  readonly messageType: string
  readonly sendingFacility: string
  readonly status: TransactionStatus
  readonly ackCode: string | null
  readonly errorCode: string | null
  readonly durationMs: number | null
  readonly receivedAt: Date
}

export const latestMessages = (count: number, on: Queryable): Promise<LatestMessage[]> =>
  on.many(sql`
    select id, channel_id as "channelId", message_type as "messageType", sending_facility as "sendingFacility", status,
      ack_code as "ackCode", error_code as "errorCode", duration_ms as "durationMs", received_at as "receivedAt"
    from bridge.transactions order by id desc limit ${count}`)
