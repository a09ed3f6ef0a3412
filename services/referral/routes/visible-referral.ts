import type { Caller } from '../../../packages/tokens/caller.ts'
import { actorOf, type Call } from '../actions/call.ts'
import { recordLook } from '../actions/record.ts'
import type { ReferralDeps } from '../deps.ts'
import type { CountedReferral } from '../referral.ts'
import { noReferral } from '../refusals.ts'
import { findReferral } from '../store/referrals.ts'
import { reachOf } from './callers.ts'
import { referralIdOf } from './fields.ts'

/** The referral for whoever may know of it, and in the audit that they have read it. */
export async function seenReferral(
  params: { readonly id: string },
  call: Call,
  deps: ReferralDeps,
): Promise<CountedReferral> {
  const referral = await visibleReferral(params, call.caller, deps)
  await recordLook({ referral, actor: actorOf(call) }, deps)
  return referral
}

/** The referral, if it exists and this caller may know of it. */
async function visibleReferral(
  params: { readonly id: string },
  caller: Caller,
  deps: Pick<ReferralDeps, 'database'>,
): Promise<CountedReferral> {
  const id = referralIdOf(params)
  const reach = reachOf(caller)
  if (reach.of === 'nobody') throw noReferral()
  const onlyOf = reach.of === 'oneself' ? reach.patientId : undefined
  const referral = await findReferral(id, onlyOf, deps.database)
  if (referral === undefined) throw noReferral()
  return referral
}
