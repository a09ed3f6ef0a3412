import type { Queryable } from '../../../packages/sql/database.ts'
import { named, sql } from '../../../packages/sql/sql.ts'

/** Until when a key may not try again; undefined when it may. */
export async function blockedUntil(keyHash: string, now: Date, on: Queryable): Promise<Date | undefined> {
  const row = await on.maybe<{ blockedUntil: Date }>(
    named(
      'auth-blocked',
      sql`
    select blocked_until as "blockedUntil" from auth.failures where key_hash = ${keyHash} and blocked_until > ${now}`,
    ),
  )
  return row?.blockedUntil
}

/** Counts a failure; the window begins anew when the last one was before `since`. Answers with the count. */
export async function countFailure(
  keyHash: string,
  times: { readonly now: Date; readonly since: Date },
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

export async function forgetFailures(keyHash: string, on: Queryable): Promise<void> {
  await on.run(sql`delete from auth.failures where key_hash = ${keyHash}`)
}
