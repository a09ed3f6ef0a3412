import { unavailable, type Fault } from '../../packages/faults/fault.ts'
import type { ConsentAnswer, Unanswered } from './consent.ts'

/** A decision as it came, from wherever. Only a `permitted` that is true or false makes it one. */
export function readAnswer(decision: unknown): ConsentAnswer {
  const { permitted, outcome, reason, consentRecordId, decisionId } = Object(decision) as Record<string, unknown>
  if (typeof permitted !== 'boolean') {
    return unanswered(unavailable('The consent service gave an answer that cannot be used.', { code: 'BAD_GATEWAY' }))
  }
  return {
    is: 'answered',
    permitted,
    // A service that does not tell silence from a refusal is taken to refuse.
    outcome: permitted ? 'PERMIT' : outcome === 'NO_CONSENT' ? 'NO_CONSENT' : 'DENY',
    reason: typeof reason === 'string' ? reason : '',
    consentRecordId: typeof consentRecordId === 'number' ? consentRecordId : null,
    decisionId: typeof decisionId === 'string' ? decisionId : null,
  }
}

export const unanswered = (fault: Fault): Unanswered => ({
  is: 'unanswered',
  permitted: false,
  reason: `Consent could not be verified. ${fault.shown}`,
  fault,
})
