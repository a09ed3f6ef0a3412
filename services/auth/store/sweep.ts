import { later } from '../../../packages/clock/later.ts'
import type { Queryable } from '../../../packages/sql/database.ts'
import { runInSteps, stepRows } from '../../../packages/sql/in-steps.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'
import { knownBrowserSeconds } from '../login/known-browser.ts'

/**
 * Removes what can no longer matter, in small steps. Used codes are kept for a day: only with the row in place is a replay
 * known for what it is. Launches are kept for a month: the portal shows whom somebody opened apps for last. Audit events
 * are never removed here.
 */
export async function sweep(now: Date, on: Queryable, signal?: AbortSignal): Promise<number> {
  let count = 0
  for (const step of stepsOf(now)) count += await runInSteps(step, on, signal)
  return count
}

function stepsOf(now: Date): readonly Statement[] {
  const dayAgo = new Date(now.getTime() - 86_400_000)
  const monthAgo = new Date(now.getTime() - 30 * 86_400_000)
  const quarterAgo = later(now, -knownBrowserSeconds)
  return [
    sql`delete from auth.authorization_requests where request_hash in (
      select request_hash from auth.authorization_requests where expires_at < ${now} limit ${stepRows})`,
    sql`delete from auth.codes where code_hash in (
      select code_hash from auth.codes where expires_at < ${dayAgo} limit ${stepRows})`,
    sql`delete from auth.launches where launch_hash in (
      select launch_hash from auth.launches where expires_at < ${monthAgo} limit ${stepRows})`,
    sql`delete from auth.sessions where session_hash in (
      select session_hash from auth.sessions where expires_at < ${dayAgo} limit ${stepRows})`,
    // Tokens first: what has lost its grant would never be found again.
    sql`delete from auth.refresh_tokens where token_hash in (
      select t.token_hash from auth.refresh_tokens t join auth.grants g on g.id = t.grant_id
      where g.expires_at < ${dayAgo} limit ${stepRows})`,
    sql`delete from auth.grants where id in (
      select g.id from auth.grants g where g.expires_at < ${dayAgo}
        and not exists (select 1 from auth.refresh_tokens t where t.grant_id = g.id)
      limit ${stepRows})`,
    sql`delete from auth.revocations where (kind, id) in (
      select kind, id from auth.revocations where expires_at < ${now} limit ${stepRows})`,
    sql`delete from auth.client_assertions where (client_id, jti_hash) in (
      select client_id, jti_hash from auth.client_assertions where expires_at < ${now} limit ${stepRows})`,
    sql`delete from auth.known_browsers where (browser_hash, user_id) in (
      select browser_hash, user_id from auth.known_browsers where seen_at < ${quarterAgo} limit ${stepRows})
      and seen_at < ${quarterAgo}`,
    // Asked again of the row itself: one that failed anew in the meantime stays.
    sql`delete from auth.failures where key_hash in (
      select key_hash from auth.failures
      where last_at < ${dayAgo} and (blocked_until is null or blocked_until < ${now}) limit ${stepRows})
      and last_at < ${dayAgo}`,
  ]
}
