import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'

/**
 * Removes what can no longer matter. Used codes and launch tokens are kept for a day: only with the row in place is a
 * replay known for what it is. Audit events are never removed here.
 */
export async function sweep(now: Date, on: Queryable): Promise<number> {
  const dayAgo = new Date(now.getTime() - 86_400_000)
  const monthAgo = new Date(now.getTime() - 30 * 86_400_000)
  const counts = [
    await on.run(sql`delete from auth.authorization_requests where expires_at < ${now}`),
    await on.run(sql`delete from auth.codes where expires_at < ${dayAgo}`),
    await on.run(sql`delete from auth.launches where expires_at < ${monthAgo}`),
    await on.run(sql`delete from auth.sessions where expires_at < ${dayAgo}`),
    // Tokens first: what has lost its grant would never be found again.
    await on.run(sql`
      delete from auth.refresh_tokens t using auth.grants g where g.id = t.grant_id and g.expires_at < ${dayAgo}`),
    await on.run(sql`delete from auth.grants where expires_at < ${dayAgo}`),
    await on.run(sql`delete from auth.revocations where expires_at < ${now}`),
    await on.run(sql`delete from auth.client_assertions where expires_at < ${now}`),
    await on.run(sql`
      delete from auth.failures
      where last_at < ${dayAgo} and (blocked_until is null or blocked_until < ${now})`),
  ]
  return counts.reduce((all, one) => all + one, 0)
}
