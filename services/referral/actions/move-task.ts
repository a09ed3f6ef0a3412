import { assert } from '../../../packages/faults/fault.ts'
import type { Transaction } from '../../../packages/sql/database.ts'
import type { ReferralDeps } from '../deps.ts'
import { mayAct, ownersOfTaskMove } from '../party-rules.ts'
import type { Attention, Referral, ReferralTask } from '../referral.ts'
import { noReferral, noTask, referralNotActive, wrongTaskStatus } from '../refusals.ts'
import { changeReferral, lockReferral, type ReferralChange } from '../store/referrals.ts'
import { changeTask, countOpenTasks, findTask, type TaskChange } from '../store/tasks.ts'
import {
  mayTaskMove,
  nextReferralStatus,
  taskTransitions,
  unansweredTaskStatuses,
  type TaskStatus,
} from '../transitions.ts'
import { actorOf, type Call } from './call.ts'
import { filled } from './filled.ts'
import { refuseParty } from './reach-referral.ts'
import { record, type Step } from './record.ts'
import { checkTaskSeen, type SeenVersions } from './seen-version.ts'
import { toldSides } from './told-side.ts'

interface MovedTask {
  readonly task: ReferralTask
  readonly referral: Referral
}

/** The receiving facility's progress, and what it means for the referral. */
export async function moveTask(
  ids: { readonly referralId: number; readonly taskId: number },
  wanted: TaskChange,
  call: Call,
  deps: ReferralDeps,
  seen?: SeenVersions,
): Promise<MovedTask> {
  const { referralId, taskId } = ids
  const end = await deps.database.transaction(async (tx) => {
    const before = await lockReferral(referralId, tx)
    if (before === undefined) throw noReferral()
    const from = await findTask(referralId, taskId, tx)
    if (from === undefined) throw noTask()
    // Under the lock: whose step it is depends on where the task stands, and on whose referral it is by now.
    const owners = ownersOfTaskMove(from.status, wanted.status)
    if (!mayAct(call.caller, before, owners, deps)) return { refused: before }
    if (before.status !== 'ACTIVE') throw referralNotActive(before.status)
    if (!mayTaskMove(from.status, wanted.status)) throw wrongTaskStatus(from.status, wanted.status)
    checkTaskSeen(from, seen)

    const now = deps.clock.now()
    const rejectionReason = wanted.status === 'REJECTED' ? filled(wanted.rejectionReason) : null
    const note = filled(wanted.note)
    const task = await changeTask(from, { ...wanted, note, rejectionReason }, now, tx)
    assert(task !== undefined, 'a task moved while its referral was locked')
    const referral = await follow(before, task, now, tx)

    const moved: Step = { action: 'task', taskId, from: from.status, to: task.status, reason: rejectionReason, note }
    const steps: [Step, ...Step[]] = [moved, ...completed(before, referral)]
    const tell = toldSides(call, referral, 'receiver', deps)
    const what = `task.${task.status.toLowerCase()}`
    await record({ referral, at: now, actor: actorOf(call), steps, tell, what }, tx, deps)
    return { task, referral }
  })
  return 'refused' in end ? refuseParty({ action: 'task', referral: end.refused, taskId }, call, deps) : end
}

/** Brings the referral along with its task. */
async function follow(before: Referral, task: ReferralTask, now: Date, tx: Transaction): Promise<Referral> {
  const isLast = taskTransitions[task.status].length === 0 && (await countOpenTasks(before.id, tx)) === 0
  const change = consequence(before, task.status, isLast)
  if (change === undefined) return before
  const referral = await changeReferral(before, change, now, tx)
  assert(referral !== undefined, 'a locked referral changed under its lock')
  return referral
}

/** What a task's new status does to its referral, if anything. */
function consequence(
  { status, attention }: Referral,
  taskStatus: TaskStatus,
  isLast: boolean,
): ReferralChange | undefined {
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
