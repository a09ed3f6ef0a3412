import { forbidden, missing, unprocessable, type Fault } from '../../packages/faults/fault.ts'
import type { GateCheck, GateResult } from './consent-gate.ts'
import type { DocumentCheck } from './own-documents.ts'
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

/** Somebody else was faster: they sent or ended it, or what it says is no longer what was seen. */
export const overtaken = (action: ReferralAction, current: ReferralStatus): Fault =>
  statusesFor(action).includes(current) ? changedMeanwhile(current) : wrongReferralStatus(action, current)

/** 422, as for every race: the specification has no 409 here. */
export const changedMeanwhile = (current: ReferralStatus): Fault =>
  invalidTransition(
    `The referral was changed meanwhile: current status ${current}, required status ${current} as it was seen before.`,
  )

/** The same of a task. */
export const taskChangedMeanwhile = (current: TaskStatus): Fault =>
  invalidTransition(
    `The task was changed meanwhile: current status ${current}, required status ${current} as it was seen before.`,
  )

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

/** Names every type and document that was refused, and every one about which there is no answer. */
export function gateFailed({ checks, documents }: GateResult): Fault {
  const types = (wanted: GateCheck['outcome']) =>
    named(checks.filter(({ outcome }) => outcome === wanted).map(({ resourceType }) => resourceType))
  const enclosed = (wanted: DocumentCheck['outcome']) =>
    named(documents.filter(({ outcome }) => outcome === wanted).map(({ reference }) => reference))
  const sentences = [
    types('REFUSED')((refused) => `The patient has not agreed to share ${refused} with the receiving facility.`),
    types('UNVERIFIED')((unanswered) => `Consent for ${unanswered} could not be verified.`),
    enclosed('REFUSED')((refused) => `Not of this patient, and therefore not to be sent along: ${refused}.`),
    enclosed('UNVERIFIED')((unanswered) => `Whether these are of this patient could not be verified: ${unanswered}.`),
  ]
  return unprocessable(sentences.flat().join(' '), { code: 'CONSENT_GATE_FAILED' })
}

/** A sentence about these, if there are any. */
const named = (names: readonly string[]) => (sentence: (list: string) => string) =>
  names.length === 0 ? [] : [sentence(names.join(', '))]

const invalidTransition = (shown: string) => unprocessable(shown, { code: 'INVALID_TRANSITION' })

const oneOf = (words: readonly string[]) => (words.length === 1 ? words.join() : `one of ${words.join(', ')}`)

const participles: Readonly<Record<ReferralAction, string>> = {
  change: 'changed',
  send: 'sent',
  hold: 'put on hold',
  resume: 'resumed',
  revoke: 'revoked',
  reroute: 're-routed',
  complete: 'completed',
}
