import type { Queryable } from '../../../packages/sql/database.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'
import { nameUuid } from '../mapping/name-uuid.ts'
import type { Read, Readable } from '../pipeline/1-receive.ts'
import type { Failed } from '../pipeline/outcome.ts'
import { kept } from '../pipeline/header.ts'
import type { Channel, ChannelId } from '../pipeline/channel.ts'
import { isAnsweredWhole } from './whole-answer.ts'

/** Who wants a message to be run again, and when that was. */
export interface Asked {
  readonly by: string
  readonly at: Date
  /** Somebody looks at this message and waits for it: it goes before all that waits. */
  readonly isUrgent: boolean
}

/** A message as it is stored, and as it is read today. */
interface ToReopen {
  readonly id: string
  readonly found: Stored
  readonly read: Read
  readonly channel: Channel
}

/**
 * The row says that it is at work, and the work stands at the end of its lanes. False when somebody was quicker. One
 * statement, because a batch has many messages: whatever follows hangs on the row that was changed.
 */
export async function reopen(
  { id, found: { status, attempts }, read, channel }: ToReopen,
  asked: Asked,
  on: Queryable,
): Promise<boolean> {
  const { by, at: now } = asked
  // What is still refused by its header stays refused; only that it was tried is new, and perhaps why.
  const changed = await on.many(sql`
    with changed as (
      update bridge.transactions set attempts = attempts + 1, next_attempt_at = null,
        ${read.refused === undefined ? begun(read, status) : refusedFor(read.refused, status)}
      where id = ${id} and status = ${status} and attempts = ${attempts}
        and not exists (select 1 from bridge.open_work w where w.transaction_id = ${id})
      returning id, attempts, received_at, stage, stage_ms, error_code, error_message),
    ran as (
      select c.*, (select max(a.run) from bridge.attempts a where a.transaction_id = c.id) as runs from changed c),
    last_end as (${lastEnd(status)}),
    asked as (
      -- An attempt that called nobody has given its number back.
      insert into bridge.retries (transaction_id, attempt, asked_at, asked_by)
      select c.id, c.attempts, ${now}::timestamptz, ${by} from changed c
      on conflict (transaction_id, attempt) do update set asked_at = excluded.asked_at, asked_by = excluded.asked_by),
    ${read.refused === undefined ? atWork({ id, status, read, channel }, asked) : refusedAgain(status, now)}
    select 1 from changed`)
  return changed.length > 0
}

/** What the log and the journal have of a message that is to be run again. */
export interface Stored {
  readonly status: string
  readonly stage: string
  readonly attempts: number
  /** Of a duplicate: it is one by its control id alone. */
  readonly hasOtherContent: boolean
  readonly errorCode: string | null
  readonly channelId: ChannelId
  readonly raw: Buffer | null
  readonly peer: string | null
  /** Of a sender that was refused at the door. */
  readonly certificateName: string | null
}

/**
 * It is complete when it has ended anew; why it failed is told until then. The settings may name its patients by other
 * fields by now. What is run is nobody's duplicate.
 */
const begun = ({ patientKeys }: Readable, status: string): Statement => sql`
  status = 'PROCESSING', completed_at = null, duration_ms = null, patient_keys = ${patientKeys}::text[]
  ${status === 'DUPLICATE' ? sql`, content_mismatch = false, parent_transaction_id = null` : sql``}`

/** The stage stays: it tells whether the sender was let in before. What has succeeded did so whatever is refused today. */
const refusedFor = ({ errorCode, errorMessage }: Failed, status: string): Statement =>
  status === 'ERROR' ? sql`error_code = ${errorCode}, error_message = ${kept(errorMessage)}` : sql`status = ${status}`

/** A message that went through in one run has no other trace of it than the row, which the next run overwrites. */
const lastEnd = (status: string): Statement => sql`
  insert into bridge.attempts
    (transaction_id, attempt, run, ended_at, status, stage, stage_ms, was_called, error_code, error_message)
  -- Its row as it was before this statement.
  select t.id, t.attempts, 1, t.completed_at, ${status}, t.stage, t.stage_ms, true, t.error_code, t.error_message
  from ran r join bridge.transactions t on t.id = r.id where r.runs is null and t.completed_at is not null`

/** It ended at once, and as the row has it now. */
const refusedAgain = (status: string, now: Date): Statement => sql`
  refused as (
    insert into bridge.attempts
      (transaction_id, attempt, run, ended_at, status, stage, stage_ms, was_called, error_code, error_message)
    select r.id, r.attempts, 1 + coalesce(r.runs, 1), ${now}::timestamptz, ${status}, r.stage, r.stage_ms, true,
      r.error_code, r.error_message
    from ran r)`

/**
 * Whoever sends it again from now on is a duplicate, also of one that its header had refused. Within the window of its
 * receipt, as for everybody. A key that another has stays that one's, unless it was refused with the same bytes.
 */
function remembered({ message, key, content }: Readable): Statement {
  if (isAnsweredWhole(message)) return sql`known as (select c.id from changed c)`
  return sql`
    remembered as (
      insert into bridge.seen as s (key, transaction_id, seen_at, content, is_refused)
      select ${key}::bytea, c.id, c.received_at, ${content}::bytea, false from changed c
      on conflict (key) do update set
        transaction_id = excluded.transaction_id, is_refused = false, parent_transaction_id = null
      where s.is_refused and (s.transaction_id = excluded.transaction_id or s.content = excluded.content)
      returning key),
    -- Keys before lanes and counters, as the journal and the ends of messages take their locks.
    known as (select c.id from changed c cross join (select count(*) from remembered) as keys)`
}

const endCounters: Readonly<Record<string, string>> = { ERROR: 'failed', DUPLICATE: 'duplicates' }

interface Reopened extends Pick<ToReopen, 'id' | 'channel'> {
  readonly status: string
  readonly read: Readable
}

function atWork({ id, status, read, channel }: Reopened, { at: now, isUrgent }: Asked): Statement {
  const lanes = read.lanes.length === 0 ? [nameUuid(id)] : read.lanes
  // A channel's counters tell how its messages stand: one that is at work again has not ended yet.
  return sql`
    ${remembered(read)},
    counted as (
      insert into bridge.channel_counts as n (channel_id, name, shard, value, since, last_at)
      select ${channel.id}, ${endCounters[status] ?? 'succeeded'}, 0, -1, ${now}::timestamptz, ${now}::timestamptz from known
      on conflict (channel_id, name, shard) do update set value = n.value + excluded.value, last_at = excluded.last_at),
    taken as (
      insert into bridge.lanes as l (lane, last_ticket, used_at)
      select m.lane, 1, ${now}::timestamptz from known, unnest(${lanes}::uuid[]) as m (lane)
      on conflict (lane) do update set last_ticket = l.last_ticket + 1, used_at = excluded.used_at
      returning lane, last_ticket),
    opened as (
      insert into bridge.open_work
        (lane, ticket, transaction_id, channel_id, is_main, due_at, attempt, attempt_limit, runs)
      select t.lane, t.last_ticket, r.id, ${channel.id}, t.lane = ${lanes[0]}::uuid,
        case when t.lane = ${lanes[0]}::uuid then ${dueBehind(lanes, isUrgent ? sql`'-infinity'::timestamptz` : dueNow(now))} end, r.attempts,
        r.attempts - 1 + ${channel.retry.maxAttempts}::integer, 1 + coalesce(r.runs, 1)
      from ran r cross join taken t)`
}

/**
 * Who stands behind one that waits is let go by the end of that one. Were it due at once, each claim would look at all the
 * messages of its patient that a batch has brought.
 */
const dueBehind = (lanes: readonly string[], otherwise: Statement): Statement => sql`
  case when exists (select from bridge.open_work e where e.lane = any(${lanes}::uuid[]) and e.copy is null)
    then 'infinity'::timestamptz else ${otherwise} end`

/**
 * Many that are run again take their turn among those that wait for the store: always before them, they would keep them
 * waiting for as long as a job brings more. Whose clock runs ahead keeps nobody from claiming it.
 */
const dueNow = (now: Date): Statement => sql`least(${now}::timestamptz, now())`
