import type { Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'

interface LoggedMessages {
  readonly count: number
  /** Those that were never done, or more than once, and how often. */
  readonly notDoneOnce: readonly string[]
}

/** What the bridge's log says of the messages that were sent; that one came again is no message of its own. */
export async function loggedMessages(database: Database): Promise<LoggedMessages> {
  const rows = await database.many<{ controlId: string; done: number }>(sql`
    select control_id as "controlId", (count(*) filter (where status = 'SUCCESS'))::int as done
    from bridge.all_transactions where status <> 'DUPLICATE' group by control_id`)
  const notDoneOnce = rows.filter(({ done }) => done !== 1).map(({ controlId, done }) => `${controlId}: ${done} times`)
  return { count: rows.length, notDoneOnce }
}
