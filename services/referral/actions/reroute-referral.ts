import { invalid } from '../../../packages/faults/fault.ts'
import type { ReferralDeps } from '../deps.ts'
import { ownersOf } from '../party-rules.ts'
import type { CountedReferral } from '../referral.ts'
import { overtaken, stillOpenTasks, wrongReferralStatus } from '../refusals.ts'
import { isSameReceiver } from '../same-receiver.ts'
import { changeReferral } from '../store/referrals.ts'
import { nextReferralStatus } from '../transitions.ts'
import { actorOf, type Call } from './call.ts'
import { openTask } from './open-task.ts'
import { passGate } from './pass-gate.ts'
import { checkParty, existingReferral } from './reach-referral.ts'
import { record } from './record.ts'
import { checkSeen, type SeenVersions } from './seen-version.ts'
import { toldSides } from './told-side.ts'

interface NewReceiver {
  readonly receivingFacilityClientId: string
  readonly performerId: string | null
}

/** After a rejection, another facility can be asked: with consent for that facility, and a task of its own. */
export async function rerouteReferral(
  id: number,
  receiver: NewReceiver,
  call: Call,
  deps: ReferralDeps,
  seen?: SeenVersions,
): Promise<CountedReferral> {
  const before = await existingReferral(id, deps.database)
  await checkParty({ action: 'reroute', referral: before, owners: ownersOf.reroute }, call, deps)
  const status = nextReferralStatus(before.status, 'reroute')
  if (status === undefined) throw wrongReferralStatus('reroute', before.status)
  if (before.openTasks > 0) throw stillOpenTasks()
  checkSeen(before, seen)
  if (isSameReceiver(before, receiver, deps.facilities)) throw sameReceiver()

  const decisions = await passGate({ action: 'reroute', referral: before, receiver }, call, deps)
  const taskId = await deps.taskIds.next()
  return deps.database.transaction(async (tx) => {
    const now = deps.clock.now()
    // The version is part of what is expected: two re-routes at once would otherwise both open a task.
    const referral = await changeReferral(before, { status, receiver, attention: null }, now, tx)
    if (referral === undefined) throw lost(await existingReferral(id, tx))
    const opened = await openTask(taskId, referral, now, tx, deps)
    const rerouted = { action: 'reroute', taskId: null, from: before.status, to: status, reason: null }
    await record(
      {
        referral,
        at: now,
        actor: actorOf(call),
        steps: [rerouted, opened],
        decisions,
        // The new receiver always; the sender where somebody else has passed it on.
        tell: [...new Set([...toldSides(call, before, 'requester', deps), 'receiver' as const])],
        what: { requester: 'rerouted', receiver: 'sent' },
      },
      tx,
      deps,
    )
    return { ...referral, openTasks: 1 }
  })
}

/** Somebody else changed it since: by re-routing it too, or by holding or ending it. */
const lost = ({ openTasks, status }: CountedReferral) =>
  openTasks > 0 ? stillOpenTasks() : overtaken('reroute', status)

const sameReceiver = () =>
  invalid({ path: 'receivingFacilityClientId', message: 'must name another facility than before' })
