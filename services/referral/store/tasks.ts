import type { Queryable, Transaction } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { Referral, ReferralTask } from '../referral.ts'
import { openTaskStatuses, unansweredTaskStatuses, type TaskStatus } from '../transitions.ts'

/** The work that a sent referral asks of the facility it was sent to. */
export async function addTask(
  id: number,
  referral: Referral,
  acceptBy: Date,
  now: Date,
  tx: Transaction,
): Promise<ReferralTask> {
  const row = await tx.one<TaskRow>(sql`
    insert into referral.tasks (id, referral_id, status, receiving_facility_client_id, performer_id, accept_by, created_at,
      updated_at)
    values (${id}, ${referral.id}, 'REQUESTED', ${referral.receivingFacilityClientId}, ${referral.performerId}, ${acceptBy},
      ${now}, ${now})
    returning ${columns}`)
  return taskOf(row)
}

/** Oldest first. */
export async function tasksOf(referralId: number, on: Queryable): Promise<ReferralTask[]> {
  const rows = await on.many<TaskRow>(
    sql`select ${columns} from referral.tasks where referral_id = ${referralId} order by created_at, id`,
  )
  return rows.map(taskOf)
}

/** The status of the open task of each of these referrals; a referral without one is not in the answer. */
export async function openTasksOf(
  referralIds: readonly number[],
  on: Queryable,
): Promise<ReadonlyMap<number, OpenTask>> {
  const rows = await on.many<OpenTask & { referralId: string }>(sql`
    select referral_id as "referralId", status, accept_by as "acceptBy" from referral.tasks
    where referral_id = any(${referralIds}::bigint[]) and status = any(${openTaskStatuses}) order by created_at, id`)
  return new Map(rows.map(({ referralId, ...task }) => [Number(referralId), task]))
}

/** Where the work stands, and until when it is to be accepted. */
export type OpenTask = Pick<ReferralTask, 'status' | 'acceptBy'>

export async function findTask(referralId: number, taskId: number, on: Queryable): Promise<ReferralTask | undefined> {
  const row = await on.maybe<TaskRow>(
    sql`select ${columns} from referral.tasks where id = ${taskId} and referral_id = ${referralId}`,
  )
  return row === undefined ? undefined : taskOf(row)
}

export interface TaskChange {
  readonly status: TaskStatus
  /** Null leaves the note as it is. */
  readonly note: string | null
  readonly rejectionReason: string | null
}

/** Moves a task if it still is where the caller saw it. Undefined when somebody else was faster. */
export async function changeTask(
  seen: ReferralTask,
  change: TaskChange,
  now: Date,
  tx: Transaction,
): Promise<ReferralTask | undefined> {
  const row = await tx.maybe<TaskRow>(sql`
    update referral.tasks
    set status = ${change.status}, note = coalesce(${change.note}, note),
      rejection_reason = coalesce(${change.rejectionReason}, rejection_reason), updated_at = ${now},
      version = version + 1
    where id = ${seen.id} and referral_id = ${seen.referralId} and status = ${seen.status}
    returning ${columns}`)
  return row === undefined ? undefined : taskOf(row)
}

export async function countOpenTasks(referralId: number, on: Queryable): Promise<number> {
  const { count } = await on.one<{ count: number }>(sql`
    select count(*)::int as count from referral.tasks
    where referral_id = ${referralId} and status = any(${openTaskStatuses})`)
  return count
}

/** Cancels what is open; answers with the tasks as they were before. */
export async function cancelOpenTasks(referralId: number, now: Date, tx: Transaction): Promise<ReferralTask[]> {
  const open = (await tasksOf(referralId, tx)).filter(({ status }) => openTaskStatuses.includes(status))
  if (open.length === 0) return open
  await tx.run(sql`
    update referral.tasks set status = 'CANCELLED', updated_at = ${now}, version = version + 1
    where referral_id = ${referralId} and status = any(${openTaskStatuses})`)
  return open
}

/** A hold stops the clock of those who have not accepted yet. Answers with their new limits. */
export async function extendAcceptance(
  referralId: number,
  byMs: number,
  tx: Transaction,
): Promise<{ readonly taskId: number; readonly acceptBy: Date }[]> {
  const rows = await tx.many<{ id: string; acceptBy: Date }>(sql`
    update referral.tasks set accept_by = accept_by + ${byMs} * interval '1 millisecond'
    where referral_id = ${referralId} and status = any(${unansweredTaskStatuses}) and overdue_at is null
    returning id, accept_by as "acceptBy"`)
  return rows.map(({ id, acceptBy }) => ({ taskId: Number(id), acceptBy }))
}

/** Marks a task whose time has passed, once. False when it was answered, extended, marked before, or is on hold. */
export async function markOverdue(taskId: number, now: Date, tx: Transaction): Promise<boolean> {
  const marked = await tx.run(sql`
    update referral.tasks t set overdue_at = ${now}, updated_at = ${now}
    from referral.referrals r
    where t.id = ${taskId} and r.id = t.referral_id and r.status = 'ACTIVE' and t.overdue_at is null
      and t.status = any(${unansweredTaskStatuses}) and t.accept_by <= ${now}`)
  return marked === 1
}

type TaskRow = Omit<ReferralTask, 'id' | 'referralId'> & { readonly id: string; readonly referralId: string }

const columns = sql`id, referral_id as "referralId", status, receiving_facility_client_id as "receivingFacilityClientId",
  performer_id as "performerId", note, rejection_reason as "rejectionReason", accept_by as "acceptBy",
  overdue_at as "overdueAt", created_at as "createdAt", updated_at as "updatedAt", version::int`

const taskOf = (row: TaskRow): ReferralTask => ({ ...row, id: Number(row.id), referralId: Number(row.referralId) })
