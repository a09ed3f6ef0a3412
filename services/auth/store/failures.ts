import type { Queryable } from '../../../packages/sql/database.ts'
import { named, sql } from '../../../packages/sql/sql.ts'

export interface PastFailures {
  readonly failures: number
  /** The key may not try again before. */
  readonly blockedUntil: Date | null
}

interface Times {
  readonly now: Date
  readonly since: Date
}

/** How often a key has failed in the window that began after `since`. */
export async function pastFailures(keyHash: string, { since }: Times, on: Queryable): Promise<PastFailures> {
  const past = await on.maybe<PastFailures>(
    named(
      'auth-failures',
      sql`
    select case when started_at <= ${since} then 0 else failures end as failures, blocked_until as "blockedUntil"
    from auth.failures where key_hash = ${keyHash}`,
    ),
  )
  return past ?? { failures: 0, blockedUntil: null }
}

/** Counts a failure; the window begins anew when the last one was before `since`. Answers with the count. */
export async function countFailure(
  keyHash: string,
  times: Times,
  on: Queryable,
): Promise<{ readonly failures: number; readonly startedAt: Date }> {
  return on.one(sql`
    insert into auth.failures as f (key_hash, failures, started_at, last_at)
    values (${keyHash}, 1, ${times.now}, ${times.now})
    on conflict (key_hash) do update set
      failures = case when f.started_at <= ${times.since} then 1 else f.failures + 1 end,
      started_at = case when f.started_at <= ${times.since} then excluded.started_at else f.started_at end,
      last_at = excluded.last_at
    returning failures, started_at as "startedAt"`)
}

export async function block(keyHash: string, until: Date, on: Queryable): Promise<void> {
  await on.run(sql`update auth.failures set blocked_until = ${until} where key_hash = ${keyHash}`)
}

export async function forgetFailures(keyHashes: readonly string[], on: Queryable): Promise<void> {
  await on.run(sql`delete from auth.failures where key_hash = any (${keyHashes}::text[])`)
}
