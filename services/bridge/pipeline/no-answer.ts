import type { Fault } from '../../../packages/faults/fault.ts'
import { wasNeverConnected } from '../../../packages/http/outbound/outbound-faults.ts'
import { circuitOpenCode } from '../breakers/circuit-breaker.ts'

/**
 * That a dependency gave no answer, and what is known of it: that it is away, that it was too slow, with which status it
 * answered. Whoever is called at night must not look for a network that is well. Its own words are in neither.
 */
export function noAnswer(who: string, { shown, logged = '' }: Fault): string {
  const status = /^status \d{3}$/.test(logged) ? ` (${logged})` : ''
  return `${who} gave no answer. ${shown.replace(/\.$/, '')}${status}.`
}

/**
 * Whether the message has reached anybody: not behind an open circuit, unless `others` of its calls were let through, and not
 * where no connection could be made. Attempts are counted for what the message itself may be the cause of (1770).
 */
export const wasAsked = (fault: Fault, others = false): boolean =>
  !wasNeverConnected(fault) && (others || fault.code !== circuitOpenCode)
