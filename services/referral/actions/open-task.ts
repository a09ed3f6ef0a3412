import type { Transaction } from '../../../packages/sql/database.ts'
import type { ReferralDeps } from '../deps.ts'
import { acceptanceQueue, type AcceptanceJob } from '../acceptance.ts'
import type { Referral } from '../referral.ts'
import { acceptBy } from '../settings.ts'
import { addTask } from '../store/tasks.ts'
import type { Step } from './record.ts'

/** Asks the receiving facility for its work and starts the clock for accepting it. */
export async function openTask(
  taskId: number,
  referral: Referral,
  now: Date,
  tx: Transaction,
  deps: ReferralDeps,
): Promise<Step> {
  const task = await addTask(taskId, referral, acceptBy(referral.priority, now, deps), now, tx)
  const payload: AcceptanceJob = { referralId: referral.id, taskId: task.id }
  await deps.jobs.add(tx, { queue: acceptanceQueue, payload, notBefore: task.acceptBy })
  return { action: 'task', taskId: task.id, from: null, to: task.status, reason: null }
}
