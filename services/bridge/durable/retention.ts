import type { Clock } from '../../../packages/clock/clock.ts'
import { every, type Recurring } from '../../../packages/clock/every.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Metrics } from '../../../packages/metrics/metrics.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { earlierNow } from '../../../packages/sql/earlier-now.ts'
import { runInSteps, stepRows, walkInSteps, type Walk } from '../../../packages/sql/in-steps.ts'
import { removeEach } from '../../../packages/sql/remove-each.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'
import { firstIdOf } from '../store/transaction-id.ts'

export interface RetentionRule {
  readonly rawDays: number
  readonly metaDays: number
  /** Failed messages are kept longer, bytes included: somebody may still want to retry them. */
  readonly errorDays: number
  readonly windowMs: number
}

interface RetentionDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}

/** Deletes what is past its time, now and then and in small steps, so that nobody waits for it. */
export function removePastNowAndThen(rule: RetentionRule, deps: RetentionDeps): Recurring {
  const { database, clock, log, metrics } = deps
  const completedAt = metrics.gauge(
    'corridor_bridge_retention_timestamp_seconds',
    'When this process had last removed all that is past its time; before its first round, when it began.',
  )
  const noteCompleted = () => completedAt.set(clock.now().getTime() / 1_000)
  noteCompleted()
  const work = async (signal: AbortSignal) => {
    const count = await removePast(rule, await earlierNow(clock, database), database, signal)
    if (!signal.aborted) noteCompleted()
    if (count > 0) log.info('bridge.retention', { count })
  }
  return every(everyMs, { work, failed: 'bridge.retention-failed' }, deps)
}

/** One round: everything that is past its time is gone. The answer is how many rows that were. */
export const removePast = (rule: RetentionRule, now: Date, database: Database, signal?: AbortSignal): Promise<number> =>
  removeEach(removalsOf(rule, now).map((remove) => () => remove(database, signal)))

const everyMs = 600_000

type Removal = (on: Database, signal: AbortSignal | undefined) => Promise<number>

/** Of tables in which all goes that is past its time. */
const all =
  (step: Statement): Removal =>
  (on, signal) =>
    runInSteps(step, on, signal)

/** Of tables in which some stays: messages that failed, for two years. */
const some =
  (walk: Walk): Removal =>
  (on, signal) =>
    walkInSteps(walk, on, signal)

function removalsOf({ rawDays, metaDays, errorDays, windowMs }: RetentionRule, now: Date): readonly Removal[] {
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000)
  const before = (days: number) => firstIdOf(ago(days).toISOString().slice(0, 10))
  const unseen = new Date(now.getTime() - windowMs)
  // Twice as long as a copy remembers the tickets of a lane (`lane-memory.ts`).
  const idle = ago(2)
  return [
    some(rawMessages(before(rawDays), before(errorDays))),
    all(sql`delete from bridge.answers where transaction_id in (
      select transaction_id from bridge.answers where transaction_id < ${before(rawDays)} limit ${stepRows})`),
    some(unmappedUses(before(rawDays))),
    some(unmappedCodes(ago(metaDays), now)),
    all(sql`delete from bridge.framing_errors where id in (
      select id from bridge.framing_errors where at < ${ago(rawDays)} limit ${stepRows})`),
    all(sql`delete from bridge.attempts where (transaction_id, run) in (
      select transaction_id, run from bridge.attempts where transaction_id < ${before(errorDays)} limit ${stepRows})`),
    all(sql`delete from bridge.retries where (transaction_id, attempt) in (
      select transaction_id, attempt from bridge.retries where transaction_id < ${before(errorDays)} limit ${stepRows})`),
    all(sql`delete from bridge.consent_refusals where transaction_id in (
      select transaction_id from bridge.consent_refusals where transaction_id < ${before(errorDays)} limit ${stepRows})`),
    some(transactions(before(metaDays), before(errorDays))),
    all(sql`delete from bridge.seen where key in (
      select key from bridge.seen where seen_at < ${unseen} limit ${stepRows})`),
    all(sql`delete from bridge.lanes where lane in (
      select l.lane from bridge.lanes l where l.used_at < ${idle}
        and not exists (select 1 from bridge.open_work w where w.lane = l.lane)
      limit ${stepRows}) and used_at < ${idle}`),
  ]
}

const rawMessages = (before: string, errorsBefore: string): Walk => ({
  first: '',
  keysAfter: (key) => sql`
    select transaction_id as key from bridge.raw_messages
    where transaction_id > ${key} and transaction_id < ${before} order by transaction_id limit ${stepRows}`,
  change: (keys) => sql`
    delete from bridge.raw_messages m where m.transaction_id = any(${keys}::text[])
      and not exists (select 1 from bridge.open_work w where w.transaction_id = m.transaction_id)
      and not exists (select 1 from bridge.transactions t
                      where t.id = m.transaction_id and t.status = 'ERROR' and t.id >= ${errorsBefore})`,
})

const transactions = (before: string, errorsBefore: string): Walk => ({
  first: '',
  keysAfter: (key) => sql`
    select id as key from bridge.transactions where id > ${key} and id < ${before} order by id limit ${stepRows}`,
  change: (keys) => sql`
    delete from bridge.transactions t where t.id = any(${keys}::text[])
      and (t.status in ('SUCCESS', 'DUPLICATE') or t.id < ${errorsBefore})
      and not exists (select 1 from bridge.open_work w where w.transaction_id = t.id)`,
})

/** Some codes at a time, by the key of their uses: they need no index of their own for this. */
const unmappedUses = (before: string): Walk => ({
  first: leastUuid,
  keysAfter: (key) => sql`
    select id as key from bridge.unmapped_codes where id > ${key}::uuid order by id limit ${stepRows}`,
  change: (keys) => sql`
    delete from bridge.unmapped_uses where (unmapped_code_id, transaction_id) in (
      select past.* from unnest(${keys}::uuid[]) as c (id) cross join lateral (
        select u.unmapped_code_id, u.transaction_id from bridge.unmapped_uses u
        where u.unmapped_code_id = c.id and u.transaction_id < ${before}
          and not exists (select 1 from bridge.raw_messages m where m.transaction_id = u.transaction_id)
        limit ${stepRows}) past
      limit ${stepRows})`,
})

/**
 * What nobody sends any more and nobody has mapped: senders choose what stands here, so it must not be for ever. Asked
 * again when it is deleted: one that is seen or claimed meanwhile stays.
 */
function unmappedCodes(before: Date, now: Date): Walk {
  const isPast = sql`c.mapped_at is null and c.last_seen_at < ${before}
    and (c.claimed_until is null or c.claimed_until < ${now})`
  return {
    first: leastUuid,
    keysAfter: (key) => sql`
      select c.id as key from bridge.unmapped_codes c where c.id > ${key}::uuid and ${isPast}
      order by c.id limit ${stepRows}`,
    change: (keys) => sql`
      delete from bridge.unmapped_codes c where c.id = any(${keys}::uuid[]) and ${isPast}
        and not exists (select 1 from bridge.unmapped_uses u where u.unmapped_code_id = c.id)`,
  }
}

const leastUuid = '00000000-0000-0000-0000-000000000000'
