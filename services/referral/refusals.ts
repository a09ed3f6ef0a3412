import { forbidden, missing, unprocessable, type Fault } from '../../packages/faults/fault.ts'
import type { GateResult } from './consent-gate.ts'
import {
  statusesFor,
  taskStatusesBefore,
  taskTransitions,
  type ReferralAction,
  type ReferralStatus,
  type TaskStatus,
} from './transitions.ts'

/** The same words for what does not exist and for what the caller may not know of. */
export const noReferral = (): Fault => missing('There is no such referral.', { code: 'NOT_FOUND' })
export const noTask = (): Fault => missing('This referral has no such task.', { code: 'NOT_FOUND' })

export const notAParty = (): Fault =>
  forbidden('Only the facilities that this referral is between may do this.', { code: 'FORBIDDEN' })

export function wrongReferralStatus(action: ReferralAction, current: ReferralStatus): Fault {
  return invalidTransition(
    `The referral cannot be ${participles[action]}: current status ${current}, required status ${oneOf(statusesFor(action))}.`,
  )
}

/** Tasks move only while their referral is under way. */
export const referralNotActive = (current: ReferralStatus): Fault =>
  invalidTransition(`The task cannot be changed: current status of the referral ${current}, required status ACTIVE.`)

export const stillOpenTasks = (): Fault =>
  invalidTransition(
    'The referral cannot be re-routed: current status ACTIVE with an open task, required status ACTIVE with none.',
  )

export function wrongTaskStatus(current: TaskStatus, wanted: TaskStatus): Fault {
  const before = taskStatusesBefore(wanted)
  const required = before.length === 0 ? 'none: no task can return to it' : oneOf(before)
  const next = taskTransitions[current]
  const allowed = next.length === 0 ? 'nothing: it is final' : oneOf(next)
  return invalidTransition(
    `The task cannot become ${wanted}: current status ${current}, required status ${required}; from ${current} it can become ${allowed}.`,
  )
}

/** Names every type that was refused, and every one about which there is no answer. */
export function gateFailed({ checks }: GateResult): Fault {
  const refused = checks.filter(({ outcome }) => outcome === 'REFUSED').map(({ resourceType }) => resourceType)
  const unverified = checks.filter(({ outcome }) => outcome === 'UNVERIFIED').map(({ resourceType }) => resourceType)
  const sentences = [
    ...(refused.length === 0
      ? []
      : [`The patient has not agreed to share ${refused.join(', ')} with the receiving facility.`]),
    ...(unverified.length === 0 ? [] : [`Consent for ${unverified.join(', ')} could not be verified.`]),
  ]
  return unprocessable(sentences.join(' '), { code: 'CONSENT_GATE_FAILED' })
}

const invalidTransition = (shown: string) => unprocessable(shown, { code: 'INVALID_TRANSITION' })

const oneOf = (words: readonly string[]) => (words.length === 1 ? words.join() : `one of ${words.join(', ')}`)

const participles: Readonly<Record<ReferralAction, string>> = {
  send: 'sent',
  hold: 'put on hold',
  resume: 'resumed',
  revoke: 'revoked',
  reroute: 're-routed',
  complete: 'completed',
}
