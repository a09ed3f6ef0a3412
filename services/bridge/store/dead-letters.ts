import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import type { Database, Queryable } from '../../../packages/sql/database.ts'
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

export interface RetryRun {
  readonly id: string
  readonly startedAt: Date
  readonly startedBy: string
  readonly errorCode: string | null
  readonly facilityCode: string | null
  readonly matched: number
  /** Of those that were taken: how each stands now. */
  readonly taken: number
  readonly atWork: number
  readonly waiting: number
  readonly succeeded: number
  readonly failed: number
}

export interface NewRetryRun extends Pick<RetryRun, 'startedBy' | 'errorCode' | 'facilityCode' | 'matched'> {
  readonly transactionIds: readonly string[]
}

/** Written down so that whoever started it, and everybody else, can see what became of it. */
export async function addRetryRun(
  run: NewRetryRun,
  { database, clock, ids }: { database: Database; clock: Clock; ids: Ids },
): Promise<string> {
  const id = ids.timeUuid()
  await database.run(sql`
    insert into bridge.retry_runs (id, started_at, started_by, error_code, facility_code, matched, transaction_ids)
    values (${id}, ${clock.now()}, ${run.startedBy}, ${run.errorCode}, ${run.facilityCode}, ${run.matched},
      ${run.transactionIds}::text[])`)
  return id
}

export const findRetryRun = (id: string, on: Queryable): Promise<RetryRun | undefined> =>
  on.maybe(sql`
    select r.id, r.started_at as "startedAt", r.started_by as "startedBy", r.error_code as "errorCode",
      r.facility_code as "facilityCode", r.matched, cardinality(r.transaction_ids) as taken,
      count(*) filter (where t.status = 'PROCESSING')::int as "atWork",
      count(*) filter (where t.status = 'QUEUED')::int as waiting,
      count(*) filter (where t.status = 'SUCCESS')::int as succeeded,
      count(*) filter (where t.status = 'ERROR')::int as failed
    from bridge.retry_runs r left join bridge.transactions t on t.id = any(r.transaction_ids)
    where r.id = ${id}::uuid group by r.id`)
