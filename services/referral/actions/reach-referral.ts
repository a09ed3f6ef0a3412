import type { Queryable } from '../../../packages/sql/database.ts'
import type { ReferralDeps } from '../deps.ts'
import { mayAct, type Side } from '../party-rules.ts'
import type { CountedReferral, Referral } from '../referral.ts'
import { noReferral, notAParty } from '../refusals.ts'
import { findReferral } from '../store/referrals.ts'
import { actorOf, type Call } from './call.ts'
import { recordRefusal } from './record.ts'

/** The referral, if it exists. */
export async function existingReferral(id: number, on: Queryable): Promise<CountedReferral> {
  const referral = await findReferral(id, undefined, on)
  if (referral === undefined) throw noReferral()
  return referral
}

interface PartyStep {
  readonly action: string
  readonly referral: Referral
  readonly owners: readonly Side[]
  readonly taskId?: number
}

/** Lets the caller go on only if the step is theirs to take. */
export async function checkParty(step: PartyStep, call: Call, deps: ReferralDeps): Promise<void> {
  if (!mayAct(call.caller, step.referral, step.owners, deps)) await refuseParty(step, call, deps)
}

/** Not inside the transaction that found it out: what is refused undoes that one, and is written down all the same. */
export async function refuseParty(step: Omit<PartyStep, 'owners'>, call: Call, deps: ReferralDeps): Promise<never> {
  await recordRefusal({ ...step, actor: actorOf(call) }, deps)
  throw notAParty()
}
