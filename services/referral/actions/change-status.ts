import { assert, unreachable } from '../../../packages/faults/fault.ts'
import type { Transaction } from '../../../packages/sql/database.ts'
import type { ReferralDeps } from '../deps.ts'
import { acceptanceQueue } from '../acceptance.ts'
import { mayAct, ownersOf } from '../party-rules.ts'
import type { CountedReferral, Referral } from '../referral.ts'
import { noReferral, wrongReferralStatus } from '../refusals.ts'
import { changeReferral, lockReferral, type ReferralChange } from '../store/referrals.ts'
import { cancelOpenTasks, extendAcceptance } from '../store/tasks.ts'
import { nextReferralStatus, type ReferralStatus } from '../transitions.ts'
import { actorOf, type Call } from './call.ts'
import { filled } from './filled.ts'
import { existingReferral, refuseParty } from './reach-referral.ts'
import { record, recordLook, type Step } from './record.ts'
import { checkSeen, type SeenVersions } from './seen-version.ts'
import { toldSides } from './told-side.ts'

type Action = 'hold' | 'resume' | 'revoke'

/** Holds, resumes or revokes a referral: everything but its tasks' own moves and what needs the gate. */
export async function changeStatus(
  action: Action,
  id: number,
  given: string | null,
  call: Call,
  deps: ReferralDeps,
  seen?: SeenVersions,
): Promise<CountedReferral> {
  const reason = filled(given)
  const end = await deps.database.transaction(async (tx) => {
    const before = await lockReferral(id, tx)
    if (before === undefined) throw noReferral()
    // Under the lock: a re-route may have made it another facility's since anybody looked.
    if (!mayAct(call.caller, before, ownersOf[action], deps)) return { refused: before }
    const status = nextReferralStatus(before.status, action)
    if (status === undefined) throw wrongReferralStatus(action, before.status)
    if (status === before.status) return { unchanged: await existingReferral(id, tx) } // revoked twice
    checkSeen(before, seen)

    const now = deps.clock.now()
    const followed = await effects[action](before, now, tx, deps)
    const referral = await changeReferral(before, changeOf(action, status, reason, now), now, tx)
    assert(referral !== undefined, 'a locked referral changed under its lock')
    const steps: [Step, ...Step[]] = [{ action, taskId: null, from: before.status, to: status, reason }, ...followed]
    const tell = toldSides(call, before, 'requester', deps)
    await record({ referral, at: now, actor: actorOf(call), steps, tell, what: words[action] }, tx, deps)
    return { referral }
  })
  if ('refused' in end) return refuseParty({ action, referral: end.refused }, call, deps)
  if ('referral' in end) return end.referral
  // Nothing was done, and still it is shown.
  await recordLook({ referral: end.unchanged, actor: actorOf(call) }, deps)
  return end.unchanged
}

function changeOf(action: Action, status: ReferralStatus, reason: string | null, now: Date): ReferralChange {
  switch (action) {
    case 'hold':
      return { status, statusReason: reason, heldAt: now }
    case 'resume':
      return { status, statusReason: null, heldAt: null }
    case 'revoke':
      return { status, statusReason: reason, heldAt: null, attention: null }
    default:
      return unreachable(action)
  }
}

/** What an action does to the tasks, as further steps of the history. */
const effects: Readonly<
  Record<Action, (before: Referral, now: Date, tx: Transaction, deps: ReferralDeps) => Promise<Step[]>>
> = {
  hold: async () => [],
  async resume({ id, heldAt }, now, tx, { jobs }) {
    const heldMs = heldAt === null ? 0 : Math.max(0, now.getTime() - heldAt.getTime())
    for (const { taskId, acceptBy } of await extendAcceptance(id, heldMs, tx)) {
      await jobs.add(tx, { queue: acceptanceQueue, payload: { referralId: id, taskId }, notBefore: acceptBy })
    }
    return []
  },
  async revoke({ id }, now, tx) {
    const cancelled = await cancelOpenTasks(id, now, tx)
    return cancelled.map((task) => ({
      action: 'task',
      taskId: task.id,
      from: task.status,
      to: 'CANCELLED',
      reason: null,
    }))
  },
}

const words: Readonly<Record<Action, string>> = { hold: 'held', resume: 'resumed', revoke: 'revoked' }
