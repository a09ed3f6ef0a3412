import type { Queryable } from '../../../packages/sql/database.ts'
import { runInSteps, stepRows } from '../../../packages/sql/in-steps.ts'
import { sql } from '../../../packages/sql/sql.ts'

/**
 * Removes what can no longer matter, in small steps. Ended sessions stay for a day: with the row in place their browsers
 * are told that the session is over, and not that there is none. Certificates are never removed.
 */
export async function sweep(now: Date, on: Queryable, signal?: AbortSignal): Promise<number> {
  const dayAgo = new Date(now.getTime() - 86_400_000)
  const launches = sql`delete from immunization.launches where state_hash in (
    select state_hash from immunization.launches where expires_at < ${now} limit ${stepRows})`
  const sessions = sql`delete from immunization.sessions where session_hash in (
    select session_hash from immunization.sessions where expires_at < ${dayAgo} limit ${stepRows})`
  return (await runInSteps(launches, on, signal)) + (await runInSteps(sessions, on, signal))
}
