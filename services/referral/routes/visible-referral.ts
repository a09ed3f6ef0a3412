import type { Caller } from '../../../packages/tokens/caller.ts'
import type { ReferralDeps } from '../deps.ts'
import type { CountedReferral } from '../referral.ts'
import { noReferral } from '../refusals.ts'
import { findReferral } from '../store/referrals.ts'
import { onlyPatientOf } from './callers.ts'
import { referralIdOf } from './fields.ts'

/** The referral, if it exists and this caller may know of it. */
export async function visibleReferral(
  params: { readonly id: string },
  caller: Caller,
  deps: Pick<ReferralDeps, 'database'>,
): Promise<CountedReferral> {
  const referral = await findReferral(referralIdOf(params), onlyPatientOf(caller), deps.database)
  if (referral === undefined) throw noReferral()
  return referral
}
