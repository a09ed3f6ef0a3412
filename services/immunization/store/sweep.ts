import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'

/**
 * Removes what can no longer matter. Ended sessions stay for a day: with the row in place their browsers are told that
 * the session is over, and not that there is none. Certificates are never removed.
 */
export async function sweep(now: Date, on: Queryable): Promise<number> {
  const dayAgo = new Date(now.getTime() - 86_400_000)
  const launches = await on.run(sql`delete from immunization.launches where expires_at < ${now}`)
  const sessions = await on.run(sql`delete from immunization.sessions where expires_at < ${dayAgo}`)
  return launches + sessions
}
