import type { ReferralDeps } from '../deps.ts'
import { ownersOfTaskMove } from '../party-rules.ts'
import type { Attention, Referral, ReferralTask } from '../referral.ts'
import { noReferral, noTask, referralNotActive, wrongTaskStatus } from '../refusals.ts'
import { changeReferral, lockReferral, type ReferralChange } from '../store/referrals.ts'
import { changeTask, findTask, type TaskChange } from '../store/tasks.ts'
import { mayTaskMove, nextReferralStatus, unansweredTaskStatuses, type TaskStatus } from '../transitions.ts'
import { actorOf, type Call } from './call.ts'
import { checkParty, existingReferral } from './reach-referral.ts'
import { record, type Step } from './record.ts'
import { toldSides } from './told-side.ts'

export interface MovedTask {
  readonly task: ReferralTask
  readonly referral: Referral
}

/** The receiving facility's progress, and what it means for the referral. */
export async function moveTask(
  ids: { readonly referralId: number; readonly taskId: number },
  wanted: TaskChange,
  call: Call,
  deps: ReferralDeps,
): Promise<MovedTask> {
  const { referralId, taskId } = ids
  const seen = await existingReferral(referralId, deps)
  const seenTask = await findTask(referralId, taskId, deps.database)
  if (seenTask === undefined) throw noTask()
  const owners = ownersOfTaskMove(seenTask.status, wanted.status)
  await checkParty({ action: 'task', referral: seen, owners, taskId }, call, deps)

  return deps.database.transaction(async (tx) => {
    const before = await lockReferral(referralId, tx)
    const taskBefore = await findTask(referralId, taskId, tx)
    if (before === undefined || taskBefore === undefined) throw noReferral()
    if (before.status !== 'ACTIVE') throw referralNotActive(before.status)
    if (!mayTaskMove(taskBefore.status, wanted.status)) throw wrongTaskStatus(taskBefore.status, wanted.status)

    const now = deps.clock.now()
    const rejectionReason = wanted.status === 'REJECTED' ? wanted.rejectionReason : null
    const task = await changeTask(taskBefore, { ...wanted, rejectionReason }, now, tx)
    const counted = (await lockReferral(referralId, tx)) ?? before
    const change = consequence(counted, wanted.status)
    if (change !== undefined) await changeReferral(counted, change, now, tx)
    const referral = change === undefined ? counted : ((await lockReferral(referralId, tx)) ?? counted)

    const moved: Step = { action: 'task', taskId, from: taskBefore.status, to: task.status, reason: rejectionReason }
    const steps: [Step, ...Step[]] = [moved, ...completed(before, referral)]
    const tell = toldSides(call, referral, 'receiver', deps)
    const what = `task.${task.status.toLowerCase()}`
    await record({ referral, at: now, actor: actorOf(call), steps, tell, what }, tx, deps)
    return { task, referral }
  })
}

/** What a task's new status does to its referral, if anything. */
function consequence(referral: Referral, taskStatus: TaskStatus): ReferralChange | undefined {
  const { status, attention, openTasks } = referral
  const isLast = openTasks === 0
  const completes = taskStatus === 'COMPLETED' && isLast ? nextReferralStatus(status, 'complete') : undefined
  if (completes !== undefined) return { status: completes, attention: null }
  // A rejection is the task's: the referral stays open, so that another facility can be asked.
  const wanted = isLast ? attentionAfter[taskStatus] : undefined
  if (wanted !== undefined) return { status, attention: wanted }
  const isAnswered = !unansweredTaskStatuses.includes(taskStatus)
  return attention === 'NOT_ACCEPTED_IN_TIME' && isAnswered ? { status, attention: null } : undefined
}

const attentionAfter: Readonly<Partial<Record<TaskStatus, Attention>>> = {
  REJECTED: 'TASK_REJECTED',
  FAILED: 'TASK_FAILED',
  CANCELLED: 'TASK_CANCELLED',
}

function completed(before: Referral, after: Referral): Step[] {
  if (before.status === after.status) return []
  return [{ action: 'complete', taskId: null, from: before.status, to: after.status, reason: null }]
}
