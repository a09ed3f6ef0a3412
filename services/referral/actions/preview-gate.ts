import { askConsentGate, type GateResult, type Shared } from '../consent-gate.ts'
import type { ReferralDeps } from '../deps.ts'
import { actorOf, type Call } from './call.ts'
import { recordGateLook } from './record.ts'

/**
 * What the gate would say now, and in the audit who wanted to know. The consent service knows only that the referral
 * service asked: without this row somebody could go through the consents of everybody unseen.
 */
export async function previewGate(
  shared: Shared & { readonly id?: number },
  call: Call,
  deps: ReferralDeps,
): Promise<GateResult> {
  const { id: referralId = null, patientId } = shared
  // At the same time: neither is of use without the other, and whoever waits does not wait for two things.
  const [gate] = await Promise.all([
    askConsentGate(shared, deps, call.request.trace),
    recordGateLook({ actor: actorOf(call), referralId, patientId }, deps),
  ])
  return gate
}
