import type { Queryable, Transaction } from '../../../packages/sql/database.ts'
import { joined, sql } from '../../../packages/sql/sql.ts'
import { firstToRun, isOfGroup, type DeadLetterGroup } from './dead-letters.ts'
import { conditionsOf, type TransactionFilter } from './transactions.ts'

/** So many are in one batch; the next one begins with those that it left. */
export const runMessagesMax = 10_000

/** Failed messages that an operator sends through once more: of one cause and facility, or what a search has found. */
export interface RetryRun {
  readonly id: string
  readonly startedAt: Date
  readonly startedBy: string
  readonly stoppedAt: Date | null
  readonly stoppedBy: string | null
  readonly errorCode: string | null
  readonly facilityCode: string | null
  /** The search, as the address of its page has it. */
  readonly search: string | null
  /** How many there were. */
  readonly matched: number
  /** Those whose turn has not come. */
  readonly notYet: number
  /** Of those whose turn was: how each stands now. */
  readonly taken: number
  readonly atWork: number
  readonly waiting: number
  readonly succeeded: number
  readonly failed: number
}

/** Which messages are meant: those of a group, or the dead letters among those that a search finds. */
export type RunOf =
  | Pick<DeadLetterGroup, 'errorCode' | 'facilityCode'>
  | { readonly search: string; readonly filter: Omit<TransactionFilter, 'q'> }

export interface NewRetryRun {
  readonly id: string
  readonly of: RunOf
  readonly startedAt: Date
  readonly startedBy: string
}

/** Which messages are meant is written down at once; how many that is, is limited. */
export async function addRetryRun(run: NewRetryRun, limit: number, tx: Transaction): Promise<void> {
  const { id, startedAt, startedBy, of } = run
  const { errorCode, facilityCode, search, isMeant } =
    'filter' in of
      ? { ...any, search: of.search, isMeant: joined(conditionsOf({ ...of.filter, isDead: true }), 'and') }
      : { ...of, search: null, isMeant: isOfGroup(of) }
  await tx.run(sql`
    insert into bridge.retry_runs (id, started_at, started_by, error_code, facility_code, search, matched)
    values (${id}, ${startedAt}, ${startedBy}, ${errorCode}, ${facilityCode}, ${search}, 0)`)
  const matched = await tx.run(sql`
    insert into bridge.retry_run_messages (run_id, transaction_id)
    select ${id}::uuid, first.id from (${firstToRun(isMeant, limit)}) as first`)
  await tx.run(sql`update bridge.retry_runs set matched = ${matched} where id = ${id}`)
}

/** Whatever it was. */
const any = { errorCode: null, facilityCode: null }

/** The oldest whose turn has not come, with whoever began the run; none when it was stopped. */
export const nextTurns = (
  runId: string,
  limit: number,
  on: Queryable,
): Promise<{ readonly id: string; readonly by: string }[]> =>
  on.many(sql`
    select m.transaction_id as id, r.started_by as by from bridge.retry_run_messages m join bridge.retry_runs r on r.id = m.run_id
    where m.run_id = ${runId} and m.is_taken is null and r.stopped_at is null
    order by m.transaction_id limit ${limit}`)

export async function recordTurn(runId: string, transactionId: string, isTaken: boolean, on: Queryable): Promise<void> {
  await on.run(sql`
    update bridge.retry_run_messages set is_taken = ${isTaken}
    where run_id = ${runId} and transaction_id = ${transactionId} and is_taken is null`)
}

/** Whose turn has not come stays as it is. A second stop changes nothing. */
export async function stopRetryRun(id: string, by: string, now: Date, on: Queryable): Promise<void> {
  await on.run(sql`
    update bridge.retry_runs set stopped_at = ${now}, stopped_by = ${by} where id = ${id} and stopped_at is null`)
}

export async function forgetRetryRuns(before: Date, on: Queryable): Promise<void> {
  await on.run(sql`delete from bridge.retry_runs where started_at < ${before}`)
}

const runs = sql`
  select r.id, r.started_at as "startedAt", r.started_by as "startedBy", r.stopped_at as "stoppedAt",
    r.stopped_by as "stoppedBy", r.error_code as "errorCode", r.facility_code as "facilityCode", r.search, r.matched,
    count(*) filter (where m.run_id is not null and m.is_taken is null)::int as "notYet",
    count(*) filter (where m.is_taken)::int as taken,
    count(*) filter (where m.is_taken and t.status = 'PROCESSING')::int as "atWork",
    count(*) filter (where m.is_taken and t.status = 'QUEUED')::int as waiting,
    count(*) filter (where m.is_taken and t.status = 'SUCCESS')::int as succeeded,
    count(*) filter (where m.is_taken and t.status = 'ERROR')::int as failed
  from bridge.retry_runs r left join bridge.retry_run_messages m on m.run_id = r.id
    left join bridge.transactions t on t.id = m.transaction_id`

export const findRetryRun = (id: string, on: Queryable): Promise<RetryRun | undefined> =>
  on.maybe(sql`${runs} where r.id = ${id}::uuid group by r.id`)

/** Newest first. */
export const latestRetryRuns = (limit: number, on: Queryable): Promise<RetryRun[]> =>
  on.many(sql`
    ${runs} where r.id in (select id from bridge.retry_runs order by started_at desc, id desc limit ${limit})
    group by r.id order by r.started_at desc, r.id desc`)
