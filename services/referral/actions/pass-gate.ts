import { askConsentGate, decisionsOf } from '../consent-gate.ts'
import type { ReferralDeps } from '../deps.ts'
import type { CountedReferral, ReferralDraft } from '../referral.ts'
import { gateFailed } from '../refusals.ts'
import { actorOf, type Call } from './call.ts'
import { recordRefusal } from './record.ts'

interface Gated {
  readonly action: 'send' | 'reroute'
  readonly referral: CountedReferral
  /** Where it goes to another facility than the referral names. */
  readonly receiver?: Pick<ReferralDraft, 'receivingFacilityClientId' | 'performerId'>
}

/**
 * What the consent service decided of all that the other facility would see. Where one decision is a no the refusal is
 * written down, and nothing leaves.
 */
export async function passGate({ action, referral, receiver }: Gated, call: Call, deps: ReferralDeps) {
  const gate = await askConsentGate({ ...referral, ...receiver }, deps, call.request.trace)
  if (gate.passes) return decisionsOf(gate)
  await recordRefusal({ action, referral, actor: actorOf(call) }, deps)
  throw gateFailed(gate)
}
