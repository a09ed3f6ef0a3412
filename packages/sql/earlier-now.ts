import type { Clock } from '../clock/clock.ts'
import type { Queryable } from './queryable.ts'
import { sql } from './sql.ts'

/**
 * Now, by this process or by the database, whichever is earlier: for what is deleted for good because its time is over. A
 * copy whose clock runs ahead would delete for all of them what is still needed.
 */
export async function earlierNow(clock: Pick<Clock, 'now'>, on: Pick<Queryable, 'one'>): Promise<Date> {
  const { now } = await on.one<{ now: Date }>(sql`select least(${clock.now()}::timestamptz, clock_timestamp()) as now`)
  return now
}
