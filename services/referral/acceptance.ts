import { assert } from '../../packages/faults/fault.ts'
import type { JobWorker } from '../../packages/sql/tasks/job-queue.ts'
import { record } from './actions/record.ts'
import type { ReferralDeps } from './deps.ts'
import { sides } from './party-rules.ts'
import { systemActor } from './referral.ts'
import { changeReferral, lockReferral } from './store/referrals.ts'
import { markOverdue } from './store/tasks.ts'

export const acceptanceQueue = 'referral.acceptance'

export interface AcceptanceJob {
  readonly referralId: number
  readonly taskId: number
}

/** At the end of the time for accepting: a task that nobody has accepted is flagged, and both sides are told. */
export function watchAcceptance(deps: ReferralDeps): JobWorker<AcceptanceJob> {
  return deps.jobs.worker<AcceptanceJob>({
    queues: [acceptanceQueue],
    handle: async ({ payload }) => flagIfLate(payload, deps),
  })
}

/** Repeating it is harmless: a task is marked once. */
async function flagIfLate({ referralId, taskId }: AcceptanceJob, deps: ReferralDeps): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const before = await lockReferral(referralId, tx)
    const now = deps.clock.now()
    if (before === undefined || !(await markOverdue(taskId, now, tx))) return
    const change = { status: before.status, attention: 'NOT_ACCEPTED_IN_TIME' } as const
    const referral = await changeReferral(before, change, now, tx)
    assert(referral !== undefined, 'a locked referral changed under its lock')
    const step = { action: 'overdue', taskId, from: before.status, to: before.status, reason: null }
    const what = 'not-accepted-in-time'
    await record({ referral, at: now, actor: systemActor, steps: [step], tell: sides, what }, tx, deps)
  })
}
