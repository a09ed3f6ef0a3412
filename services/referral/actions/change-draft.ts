import { incorrect } from '../../../packages/faults/fault.ts'
import { settledId } from '../../../ports/patient-index/merges/merge-table.ts'
import type { ReferralDeps } from '../deps.ts'
import { ownersOf, rulesOfDrafts } from '../party-rules.ts'
import type { CountedReferral, ReferralDraft } from '../referral.ts'
import { overtaken, wrongReferralStatus } from '../refusals.ts'
import { mergeTables } from '../store/merged-patients.ts'
import { rewriteDraft } from '../store/referrals.ts'
import { nextReferralStatus } from '../transitions.ts'
import { actorOf, type Call } from './call.ts'
import { checkParty, existingReferral } from './reach-referral.ts'
import { record } from './record.ts'
import { checkSeen, type SeenVersions } from './seen-version.ts'
import { toldSides } from './told-side.ts'

/** Writes a draft anew, for the same patient. Nobody has been asked yet: at most its writers are told. */
export async function changeDraft(
  id: number,
  draft: ReferralDraft,
  call: Call,
  deps: ReferralDeps,
  seen?: SeenVersions,
): Promise<CountedReferral> {
  const before = await existingReferral(id, deps.database)
  await checkParty({ action: 'change', referral: before, owners: ownersOf.change }, call, rulesOfDrafts(deps))
  const status = nextReferralStatus(before.status, 'change')
  if (status === undefined) throw wrongReferralStatus('change', before.status)
  checkSeen(before, seen)

  const actor = actorOf(call)
  return deps.database.transaction(async (tx) => {
    const now = deps.clock.now()
    if ((await settledId(draft.patientId, mergeTables, tx)) !== before.patientId) throw anotherPatient()
    const referral = await rewriteDraft(before, draft, now, tx)
    if (referral === undefined) throw overtaken('change', (await existingReferral(id, tx)).status)
    const step = { action: 'change', taskId: null, from: before.status, to: status, reason: null }
    const tell = toldSides(call, before, 'requester', deps)
    await record({ referral, at: now, actor, steps: [step], tell, what: 'changed' }, tx, deps)
    return referral
  })
}

/** Its history and the audit are about one patient. */
const anotherPatient = () =>
  incorrect('The request is not valid.', {
    fields: [{ path: 'patientId', message: 'must be the patient of the draft: for somebody else, write another one' }],
  })
