import { unavailable } from '../../packages/faults/fault.ts'
import type { Consent } from './consent.ts'
import { unanswered } from './read-answer.ts'

/** Where there is no consent service: nothing is permitted. */
export const unavailableConsent: Consent = {
  evaluate: async () => unanswered(unavailable('There is no consent service.', { code: 'NO_CONSENT_SERVICE' })),
}
