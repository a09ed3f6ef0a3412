import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'

/** A caller who asked about more different patients in one window than is usual. */
export interface EnumerationAlert {
  readonly caller: string
  readonly windowStart: Date
  readonly patients: number
  readonly raisedAt: Date
}

/** Newest first. */
export function latestAlerts(limit: number, on: Queryable): Promise<EnumerationAlert[]> {
  return on.many(sql`
    select caller, window_start as "windowStart", patients, raised_at as "raisedAt"
    from consent.enumeration_alerts order by raised_at desc, caller limit ${limit}`)
}

export async function countAlerts(on: Queryable): Promise<number> {
  const { count } = await on.one<{ count: string }>(sql`select count(*) from consent.enumeration_alerts`)
  return Number(count)
}
