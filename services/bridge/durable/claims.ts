import type { Database, Queryable } from '../../../packages/sql/database.ts'
import { hasKey } from '../../../packages/sql/has-key.ts'
import { kept, sql } from '../../../packages/sql/sql.ts'
import { wasAccepted } from './accepted.ts'
import type { ChannelId } from '../pipeline/channel.ts'
import { termsVersion } from '../store/terms-version.ts'
import type { Place } from './lane-place.ts'
import { isSomeoneBefore } from './someone-before.ts'

/** A parked message that is now ours. */
export interface Claimed {
  readonly transactionId: string
  readonly channelId: ChannelId
  readonly places: readonly Place[]
  readonly attempt: number
  readonly attemptLimit: number
  readonly run: number
  /** How many of its runs were begun since an end of it was written, this one included. */
  readonly runsWithoutEnd: number
  readonly raw: Buffer
  readonly peer: string
  readonly receivedAt: Date
  readonly parent: string | undefined
  /** Undefined when its end was never written: it was at work when its copy died. */
  readonly status: string | undefined
  /** It was through once, and an operator has asked for it again: it stands behind messages that came after it. */
  readonly wasEnded: boolean
  /** It succeeded in one of its runs: others have been told of what it says. */
  readonly hasSucceeded: boolean
  /** It was through or parked once, or its sender was told AA or CA: nobody will send it again. */
  readonly wasAccepted: boolean
  /** Which change of the terminology was the last when it was claimed. */
  readonly termsVersion: string
}

/**
 * Takes what is due and first in all of its lanes, the longest-waiting first. A copy that was taken for dead takes
 * nothing: what stood under its old name would wait until somebody sees again that it is gone.
 */
export async function claimDue(database: Database, copy: string, limit: number, now: Date): Promise<Claimed[]> {
  // Planned once and by keys only: with fifty thousand parked, any other plan looks at all of them for each claim.
  const claim = kept(
    'bridge_claim_due',
    sql`
    with alive as (select from bridge.copies where id = ${copy} for key share),
    due as (
      select w.transaction_id from bridge.open_work w
      where w.copy is null and w.is_main and w.due_at <= ${now}::timestamptz
        and exists (select from alive)
        and not ${isSomeoneBefore(sql`w`)}
      order by w.due_at
      limit ${limit}
      for update skip locked),
    claimed as (
      update bridge.open_work w set copy = ${copy}, due_at = null, runs = w.runs + 1
      from due where ${hasKey(sql`w.transaction_id`, sql`due.transaction_id`)} and w.copy is null
      returning w.transaction_id, w.lane, w.ticket, w.attempt, w.attempt_limit, w.runs)
    select c.transaction_id as "transactionId", m.channel_id as "channelId", c.attempt, c.attempt_limit as "attemptLimit",
      c.runs as run, array_agg(c.lane::text) as lanes, array_agg(c.ticket::text) as tickets, m.raw, m.peer,
      m.received_at as "receivedAt", m.parent_transaction_id as parent, t.status,
      exists (select from bridge.attempts a where a.transaction_id = c.transaction_id and a.status <> 'QUEUED')
        as "wasEnded",
      exists (select from bridge.attempts a where a.transaction_id = c.transaction_id and a.status = 'SUCCESS')
        as "hasSucceeded",
      ${wasAccepted} as "wasAccepted",
      c.runs - coalesce((select max(a.run) from bridge.attempts a where a.transaction_id = c.transaction_id), 0)
        as "runsWithoutEnd",
      ${termsVersion} as "termsVersion"
    from claimed c
    join bridge.raw_messages m on m.transaction_id = c.transaction_id
    left join bridge.transactions t on t.id = c.transaction_id
    group by c.transaction_id, m.transaction_id, c.attempt, c.attempt_limit, c.runs, t.id
    order by c.transaction_id`,
  )
  const [rows = []] = await database.transaction((tx) => tx.commitWith([claim]), { plans: 'kept' })
  // Sound: these are the rows that the statement above is written for.
  return (rows as ClaimedRow[]).map(({ lanes, tickets, parent, status, ...row }) => ({
    ...row,
    places: lanes.map((lane, index) => ({ lane, ticket: Number(tickets[index]) })),
    parent: parent ?? undefined,
    status: status ?? undefined,
  }))
}

interface ClaimedRow extends Omit<Claimed, 'places' | 'parent' | 'status'> {
  readonly lanes: readonly string[]
  readonly tickets: readonly string[]
  readonly parent: string | null
  readonly status: string | null
}

/** Everything that waits for a time is due now; the answer is how much that was. */
export const makeAllDue = (database: Database, now: Date): Promise<number> =>
  database.run(sql`
    update bridge.open_work set due_at = ${now}::timestamptz
    where copy is null and is_main and due_at > ${now}::timestamptz and due_at <> 'infinity'`)

/**
 * Who waits for a turn that has come already: the one before it ended at the same moment as it was parked. Begun from
 * those that are first in a lane: with many messages a patient, looking before each of them looks at all pairs. And in
 * steps, of which the last goes by keys: those who wait are hidden from it, since statistics that are a minute old know of
 * none, and a plan that begins with them looks at all first ones for each (14 s for 2,300 behind 270).
 */
export const letStrandedGo = (database: Database): Promise<number> =>
  database.run(sql`
    with first as materialized (
      select distinct on (lane) * from bridge.open_work order by lane, ticket),
    heads as materialized (
      select transaction_id, count(*) as lanes,
        (array_agg(lane) filter (where is_main))[1] as lane, min(ticket) filter (where is_main) as ticket
      from first group by transaction_id
      having bool_or(is_main and copy is null and due_at = 'infinity')),
    stranded as materialized (
      select h.lane, h.ticket from heads h
      where h.lanes = (select count(*) from bridge.open_work mine where mine.transaction_id = h.transaction_id))
    update bridge.open_work w set due_at = '-infinity'
    from stranded s
    where w.lane = s.lane and w.ticket = s.ticket and w.copy is null and w.due_at is not distinct from 'infinity'`)

/** How many messages are parked: what everybody calls the depth of the retry queue. One that is being tried is not. */
export async function queueDepth(on: Queryable): Promise<number> {
  const { depth } = await on.one<{ depth: number }>(
    sql`select count(*)::int as depth from bridge.open_work where copy is null and is_main`,
  )
  return depth
}

/** The same, and since when the longest-waiting one was received: the one with the least id. */
export const queueState = (database: Database): Promise<{ depth: number; oldest: Date | null }> =>
  database.one(sql`
    with parked as (
      select count(*)::int as depth, min(transaction_id) as first from bridge.open_work where copy is null and is_main)
    select p.depth, m.received_at as oldest
    from parked p left join bridge.raw_messages m on m.transaction_id = p.first`)

/** Of messages that wait for other copies: whether anybody is still before them, and whether one of those is parked. */
export const lookAhead = (
  database: Database,
  transactionIds: readonly string[],
): Promise<readonly { transactionId: string; isBlocked: boolean; isBehindParked: boolean }[]> =>
  database.many(sql`
    select o.transaction_id as "transactionId",
      bool_or(exists (select 1 from bridge.open_work e where e.lane = o.lane and e.ticket < o.ticket)) as "isBlocked",
      bool_or(exists (select 1 from bridge.open_work e where e.lane = o.lane and e.ticket < o.ticket and e.copy is null))
        as "isBehindParked"
    from bridge.open_work o where o.transaction_id = any(${transactionIds}::text[]) group by o.transaction_id`)
