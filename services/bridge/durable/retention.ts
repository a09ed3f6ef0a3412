import type { Clock } from '../../../packages/clock/clock.ts'
import { every, type Recurring } from '../../../packages/clock/every.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { runInSteps, stepRows } from '../../../packages/sql/in-steps.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'
import { firstIdOf } from '../store/transaction-id.ts'

export interface RetentionRule {
  readonly rawDays: number
  readonly metaDays: number
  /** Failed messages are kept longer, bytes included: somebody may still want to retry them. */
  readonly errorDays: number
  readonly windowMs: number
}

export interface RetentionDeps {
  readonly database: Database
  readonly clock: Clock
}

/** Deletes what is past its time, now and then and in small steps, so that nobody waits for it. */
export function removePastNowAndThen(rule: RetentionRule, deps: RetentionDeps & { readonly log: Log }): Recurring {
  const work = async (signal: AbortSignal) => {
    const count = await removePast(rule, deps, signal)
    if (count > 0) deps.log.info('bridge.retention', { count })
  }
  return every(everyMs, { work, failed: 'bridge.retention-failed' }, deps)
}

/** One round: everything that is past its time is gone. The answer is how many rows that were. */
export async function removePast(
  rule: RetentionRule,
  { database, clock }: RetentionDeps,
  signal?: AbortSignal,
): Promise<number> {
  let count = 0
  for (const step of stepsOf(rule, clock.now())) count += await runInSteps(step, database, signal)
  return count
}

const everyMs = 600_000

function stepsOf({ rawDays, metaDays, errorDays, windowMs }: RetentionRule, now: Date): readonly Statement[] {
  const before = (days: number) => firstIdOf(new Date(now.getTime() - days * 86_400_000).toISOString().slice(0, 10))
  const unseen = new Date(now.getTime() - windowMs)
  const rawSince = new Date(now.getTime() - rawDays * 86_400_000)
  const idle = new Date(now.getTime() - 2 * 86_400_000)
  return [
    sql`delete from bridge.raw_messages where transaction_id in (
      select m.transaction_id from bridge.raw_messages m where m.transaction_id < ${before(rawDays)}
        and not exists (select 1 from bridge.open_work w where w.transaction_id = m.transaction_id)
        and not exists (select 1 from bridge.transactions t
                        where t.id = m.transaction_id and t.status = 'ERROR' and t.id >= ${before(errorDays)})
      limit ${stepRows})`,
    sql`delete from bridge.answers where transaction_id in (
      select transaction_id from bridge.answers where transaction_id < ${before(rawDays)} limit ${stepRows})`,
    // A code at a time, by the key of its uses: they need no index of their own for this.
    sql`delete from bridge.unmapped_uses where (unmapped_code_id, transaction_id) in (
      select gone.* from bridge.unmapped_codes c cross join lateral (
        select u.unmapped_code_id, u.transaction_id from bridge.unmapped_uses u
        where u.unmapped_code_id = c.id and u.transaction_id < ${before(rawDays)}
          and not exists (select 1 from bridge.raw_messages m where m.transaction_id = u.transaction_id)
        limit ${stepRows}) gone
      limit ${stepRows})`,
    sql`delete from bridge.framing_errors where id in (
      select id from bridge.framing_errors where at < ${rawSince} limit ${stepRows})`,
    sql`delete from bridge.attempts where (transaction_id, run) in (
      select transaction_id, run from bridge.attempts where transaction_id < ${before(errorDays)} limit ${stepRows})`,
    sql`delete from bridge.retries where (transaction_id, attempt) in (
      select transaction_id, attempt from bridge.retries where transaction_id < ${before(errorDays)} limit ${stepRows})`,
    sql`delete from bridge.consent_refusals where transaction_id in (
      select transaction_id from bridge.consent_refusals where transaction_id < ${before(errorDays)} limit ${stepRows})`,
    sql`delete from bridge.transactions where id in (
      select t.id from bridge.transactions t where t.id < ${before(metaDays)}
        and (t.status in ('SUCCESS', 'DUPLICATE') or t.id < ${before(errorDays)})
        and not exists (select 1 from bridge.open_work w where w.transaction_id = t.id)
      limit ${stepRows})`,
    sql`delete from bridge.seen where key in (
      select key from bridge.seen where seen_at < ${unseen} limit ${stepRows})`,
    sql`delete from bridge.lanes where lane in (
      select l.lane from bridge.lanes l where l.used_at < ${idle}
        and not exists (select 1 from bridge.open_work w where w.lane = l.lane)
      limit ${stepRows}) and used_at < ${idle}`,
  ]
}
