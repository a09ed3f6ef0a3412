import type { Transaction } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { nameUuid } from '../mapping/name-uuid.ts'
import type { Read } from '../pipeline/1-receive.ts'
import type { Channel, ChannelId } from '../pipeline/channel.ts'
import { addCount, addCounts, type Counts } from './count-statements.ts'

/** Who wants a message to be run again, and when that was. */
export interface Asked {
  readonly by: string
  readonly at: Date
}

/** The row says that it is at work, and the work stands at the end of its lanes. False when somebody was quicker. */
export async function reopen(
  id: string,
  { status, attempts }: Stored,
  read: Read,
  channel: Channel,
  { by, at: now }: Asked,
  tx: Transaction,
): Promise<boolean> {
  // What is still refused by its header stays refused; only that it was tried is new.
  const isRefused = read.refused !== undefined
  const changed = await tx.run(sql`
    update bridge.transactions set status = ${isRefused ? status : 'PROCESSING'}, attempts = attempts + 1,
      next_attempt_at = null
    where id = ${id} and status = ${status}
      and not exists (select 1 from bridge.open_work w where w.transaction_id = ${id})`)
  if (changed === 0) return false
  await keepLastEnd(id, status, tx)
  // An attempt that called nobody has given its number back.
  await tx.run(sql`
    insert into bridge.retries (transaction_id, attempt, asked_at, asked_by)
    values (${id}, ${attempts + 1}, ${now}, ${by})
    on conflict (transaction_id, attempt) do update set asked_at = excluded.asked_at, asked_by = excluded.asked_by`)
  if (isRefused) {
    await keepRefusal(id, now, tx)
    return true
  }
  await uncount(channel.id, status, now, tx)
  const lanes = read.lanes.length === 0 ? [nameUuid(id)] : read.lanes
  await tx.run(sql`
    insert into bridge.lanes as l (lane, last_ticket, used_at)
    select lane, 1, ${now}::timestamptz from unnest(${lanes}::uuid[]) as m (lane)
    on conflict (lane) do update set last_ticket = l.last_ticket + 1, used_at = excluded.used_at`)
  await tx.run(sql`
    insert into bridge.open_work
      (lane, ticket, transaction_id, channel_id, is_main, due_at, attempt, attempt_limit, runs)
    select l.lane, l.last_ticket, ${id}, ${channel.id}, l.lane = ${lanes[0]}::uuid,
      case when l.lane = ${lanes[0]}::uuid then '-infinity'::timestamptz end, ${attempts + 1},
      ${attempts + channel.retry.maxAttempts},
      1 + (select coalesce(max(a.run), 1) from bridge.attempts a where a.transaction_id = ${id})
    from bridge.lanes l where l.lane = any(${lanes}::uuid[])`)
  return true
}

/** What the log and the journal have of a message that is to be run again. */
export interface Stored {
  readonly status: string
  readonly stage: string
  readonly attempts: number
  readonly channelId: ChannelId
  readonly raw: Buffer | null
  readonly peer: string | null
}

/** A message that went through in one run has no other trace of it than the row, which the next run overwrites. */
async function keepLastEnd(id: string, status: string, tx: Transaction): Promise<void> {
  await tx.run(sql`
    insert into bridge.attempts
      (transaction_id, attempt, run, ended_at, status, stage, stage_ms, was_called, error_code, error_message)
    select t.id, t.attempts - 1, 1, t.completed_at, ${status}, t.stage, t.stage_ms, true, t.error_code, t.error_message
    from bridge.transactions t
    where t.id = ${id} and t.completed_at is not null
      and not exists (select 1 from bridge.attempts a where a.transaction_id = t.id)`)
}

/** It ended as before, at once. */
async function keepRefusal(id: string, now: Date, tx: Transaction): Promise<void> {
  await tx.run(sql`
    insert into bridge.attempts
      (transaction_id, attempt, run, ended_at, status, stage, stage_ms, was_called, error_code, error_message)
    select t.id, t.attempts, 1 + (select coalesce(max(a.run), 1) from bridge.attempts a where a.transaction_id = t.id),
      ${now}, t.status, t.stage, t.stage_ms, true, t.error_code, t.error_message
    from bridge.transactions t where t.id = ${id}`)
}

/** A channel's counters tell how its messages stand: one that is at work again has neither failed nor succeeded yet. */
async function uncount(channelId: ChannelId, status: string, now: Date, tx: Transaction): Promise<void> {
  const counts: Counts = new Map()
  addCount(counts, channelId, status === 'ERROR' ? 'failed' : 'succeeded', -1)
  await tx.run(addCounts(counts, 0, now))
}
