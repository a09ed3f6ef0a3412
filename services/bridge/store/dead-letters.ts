import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'

/** Failed messages that have the same cause and come from the same place. */
export interface DeadLetterGroup {
  readonly errorCode: string
  readonly facilityCode: string | null
  readonly count: number
  readonly firstAt: Date
  readonly lastAt: Date
  /** The newest of them, to look at. */
  readonly lastId: string
}

/** The largest first. */
export const deadLetterGroups = (limit: number, on: Queryable): Promise<DeadLetterGroup[]> =>
  on.many(sql`
    select coalesce(error_code, '') as "errorCode", facility_code as "facilityCode", count(*)::int as count,
      min(received_at) as "firstAt", max(received_at) as "lastAt", max(id) as "lastId"
    from bridge.transactions where status = 'ERROR'
    group by 1, 2 order by count(*) desc, 1, 2 limit ${limit}`)
