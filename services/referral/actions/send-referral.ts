import type { ReferralDeps } from '../deps.ts'
import { ownersOf } from '../party-rules.ts'
import type { CountedReferral } from '../referral.ts'
import { overtaken, wrongReferralStatus } from '../refusals.ts'
import { changeReferral } from '../store/referrals.ts'
import { nextReferralStatus } from '../transitions.ts'
import { actorOf, type Call } from './call.ts'
import { openTask } from './open-task.ts'
import { passGate } from './pass-gate.ts'
import { checkParty, existingReferral } from './reach-referral.ts'
import { record, type Step } from './record.ts'
import { checkSeen, type SeenVersions } from './seen-version.ts'
import { toldSides } from './told-side.ts'

/** From draft to the other facility, through the consent gate. */
export async function sendReferral(
  id: number,
  call: Call,
  deps: ReferralDeps,
  seen?: SeenVersions,
): Promise<CountedReferral> {
  const draft = await existingReferral(id, deps.database)
  await checkParty({ action: 'send', referral: draft, owners: ownersOf.send }, call, deps)
  const status = nextReferralStatus(draft.status, 'send')
  if (status === undefined) throw wrongReferralStatus('send', draft.status)
  checkSeen(draft, seen)

  const decisions = await passGate({ action: 'send', referral: draft }, call, deps)
  const taskId = await deps.taskIds.next()
  // After the gate, never around it: a transaction must not wait for another service.
  return deps.database.transaction(async (tx) => {
    const now = deps.clock.now()
    const referral = await changeReferral(draft, { status, authoredOn: now }, now, tx)
    // Also a draft that says something else by now: the gate was asked about another one.
    if (referral === undefined) throw overtaken('send', (await existingReferral(id, tx)).status)
    const opened = await openTask(taskId, referral, now, tx, deps)
    const sent = { action: 'send', taskId: null, from: draft.status, to: status, reason: null }
    const tell = toldSides(call, referral, 'requester', deps)
    const steps: [Step, Step] = [sent, opened]
    await record({ referral, at: now, actor: actorOf(call), steps, decisions, tell, what: 'sent' }, tx, deps)
    return { ...referral, openTasks: 1 }
  })
}
