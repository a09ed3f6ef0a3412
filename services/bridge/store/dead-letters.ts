import type { Queryable } from '../../../packages/sql/database.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'
import { tooLargeCode } from './to-be-run.ts'

/**
 * `later` repeats a message that was refused. Not where it is of another patient: a sender that begins its control ids anew
 * each day has said something else under an old one, and what failed is still to be brought in. The refused one is read by
 * its key: of `exists` the planner makes a join with the whole log.
 */
const repeats = sql`later.status <> 'DUPLICATE' and coalesce((
  select refused.patient_keys && later.patient_keys or '{}' in (refused.patient_keys, later.patient_keys)
  from bridge.transactions refused where refused.id = later.parent_transaction_id), true)`

/**
 * What failed and was not sent again since. A sender that is told `AE` sends the same message until it is taken: to run the
 * earlier ones would apply it as often as it was refused, and the oldest after the newest.
 */
export const isDeadLetter = sql`t.status = 'ERROR' and not exists (
  select from bridge.transactions later where later.parent_transaction_id = t.id and ${repeats})`

/** The id under which a message that had failed was sent again. */
export async function cameAgain(id: string, on: Queryable): Promise<string | undefined> {
  const later = await on.maybe<{ readonly id: string }>(sql`
    select later.id from bridge.all_transactions later where later.parent_transaction_id = ${id} and ${repeats}
    order by later.id desc limit 1`)
  return later?.id
}

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

/** The largest first. Counted in the indexes of what failed and of what came again; of the rows only the first and the last of each are read. */
export const deadLetterGroups = (limit: number, on: Queryable): Promise<DeadLetterGroup[]> =>
  on.many(sql`
    select coalesce(g.error_code, '') as "errorCode", g.facility_code as "facilityCode", g.count,
      first.received_at as "firstAt", last.received_at as "lastAt", g.last_id as "lastId"
    from (
      select error_code, facility_code, count(*)::int as count, min(id) as first_id, max(id) as last_id
      from bridge.transactions t where ${isDeadLetter}
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
  sql`${isDeadLetter} and ${errorCode === '' ? sql`t.error_code is null` : sql`t.error_code = ${errorCode}`}
    and ${facilityCode === null ? sql`t.facility_code is null` : sql`t.facility_code = ${facilityCode}`}`

/**
 * The ids of those that are meant, those first that nobody has run again, then those for which that is the longest ago:
 * what goes on failing must not keep the others from their turn. What has not all of its bytes cannot be run, and comes last.
 * Only where there are not enough of the first are the others looked at, which have no order that an index knows.
 */
export function firstToRun(isMeant: Statement, limit: number): Statement {
  const hasBytes = sql`(t.error_code is distinct from ${tooLargeCode}
    and exists (select from bridge.raw_messages m where m.transaction_id = t.id))`
  const wasRun = sql`exists (select from bridge.retries r where r.transaction_id = t.id)`
  return sql`
    with fresh as materialized (
      select t.id from bridge.transactions t where ${isMeant} and ${hasBytes} and not ${wasRun}
      order by t.id limit ${limit}),
    others as (
      select t.id from bridge.transactions t where ${isMeant} and (not ${hasBytes} or ${wasRun})
      order by not ${hasBytes},
        (select max(r.asked_at) from bridge.retries r where r.transaction_id = t.id) nulls first, t.id
      limit ${limit} - (select count(*) from fresh))
    select id from fresh union all select id from others`
}
