import type { Queryable } from '../../../packages/sql/database.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'

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

/** The largest first. Counted in the index of what failed: of the rows only the first and the last of each are read. */
export const deadLetterGroups = (limit: number, on: Queryable): Promise<DeadLetterGroup[]> =>
  on.many(sql`
    select coalesce(g.error_code, '') as "errorCode", g.facility_code as "facilityCode", g.count,
      first.received_at as "firstAt", last.received_at as "lastAt", g.last_id as "lastId"
    from (
      select error_code, facility_code, count(*)::int as count, min(id) as first_id, max(id) as last_id
      from bridge.transactions where status = 'ERROR'
      group by error_code, facility_code
      order by count(*) desc, error_code nulls first, facility_code limit ${limit}) as g
    join bridge.transactions first on first.id = g.first_id
    join bridge.transactions last on last.id = g.last_id
    order by g.count desc, g.error_code nulls first, g.facility_code`)

/** Of such a group, written so that the index of what failed finds it; nobody says why is the empty cause. */
export const isOfGroup = ({
  errorCode,
  facilityCode,
}: Pick<DeadLetterGroup, 'errorCode' | 'facilityCode'>): Statement =>
  sql`t.status = 'ERROR' and ${errorCode === '' ? sql`t.error_code is null` : sql`t.error_code = ${errorCode}`}
    and ${facilityCode === null ? sql`t.facility_code is null` : sql`t.facility_code = ${facilityCode}`}`
