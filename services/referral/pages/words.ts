import type { Tone } from '../../../packages/views/components/tone.ts'
import type { OfferedAction } from '../available-actions.ts'
import type { CountedReferral, Priority, ReferralEvent } from '../referral.ts'
import type { ReferralStatus, TaskStatus } from '../transitions.ts'
import type { Words } from '../words/words.ts'

/** What statuses and steps are called on pages, and how much they want to be seen. */
export interface Word {
  readonly label: string
  readonly tone: Tone
}

/** What is asked, as it was written; else its number. */
export const titleOf = ({ referralDisplay, referralCode, id }: CountedReferral, { text }: Words): string =>
  referralDisplay ?? referralCode ?? text('referralNumber', { id })

export const statusWord = (status: ReferralStatus, { text }: Words): Word => ({
  label: text(`status_${status}`),
  tone: statusTones[status],
})

const statusTones: Readonly<Record<ReferralStatus, Tone>> = {
  DRAFT: 'neutral',
  ACTIVE: 'info',
  ONHOLD: 'warning',
  COMPLETED: 'good',
  REVOKED: 'bad',
}

export const taskWord = (status: TaskStatus, { text }: Words): Word => ({
  label: text(`task_${status}`),
  tone: taskTones[status],
})

const taskTones: Readonly<Record<TaskStatus, Tone>> = {
  REQUESTED: 'warning',
  RECEIVED: 'info',
  ACCEPTED: 'info',
  INPROGRESS: 'info',
  ONHOLD: 'warning',
  COMPLETED: 'good',
  REJECTED: 'bad',
  CANCELLED: 'neutral',
  FAILED: 'bad',
}

export const priorityWord = (priority: Priority, { text }: Words): Word => ({
  label: text(`priority_${priority}`),
  tone: priorityTones[priority],
})

const priorityTones: Readonly<Record<Priority, Tone>> = {
  STAT: 'bad',
  ASAP: 'warning',
  URGENT: 'warning',
  ROUTINE: 'neutral',
}

/** The button of a step, and what it needs to be told. */
export const actionWords: Readonly<Record<OfferedAction, string>> = {
  send: 'Send',
  hold: 'Put on hold',
  resume: 'Resume',
  revoke: 'Revoke',
  reroute: 'Ask another facility',
  change: 'Change',
}

/** A facility in a list of whom to ask. */
export const turnedDown = (facility: string): string => `${facility} (turned it down)`

export const moveWords: Readonly<Record<TaskStatus, string>> = {
  REQUESTED: 'Request',
  RECEIVED: 'Mark as received',
  ACCEPTED: 'Accept',
  REJECTED: 'Reject',
  CANCELLED: 'Cancel the work',
  INPROGRESS: 'Begin',
  COMPLETED: 'Complete',
  ONHOLD: 'Pause',
  FAILED: 'Mark as failed',
}

/** What is said to whoever has just taken a step. */
export const doneWords: Readonly<Record<OfferedAction | TaskStatus, string>> = {
  send: 'The referral is sent.',
  hold: 'The referral is on hold.',
  resume: 'The referral goes on.',
  revoke: 'The referral is revoked.',
  reroute: 'Another facility is asked.',
  change: 'The draft is changed.',
  REQUESTED: 'The work is requested.',
  RECEIVED: 'The work is marked as received.',
  ACCEPTED: 'The work is accepted.',
  REJECTED: 'The work is rejected.',
  CANCELLED: 'The work is cancelled.',
  INPROGRESS: 'The work has begun.',
  COMPLETED: 'The work is completed.',
  ONHOLD: 'The work is paused.',
  FAILED: 'The work is marked as failed.',
}

/** What somebody can choose to share. */
export const shareableTypes = [
  'Condition',
  'Observation',
  'DiagnosticReport',
  'MedicationRequest',
  'AllergyIntolerance',
  'Immunization',
  'Encounter',
  'DocumentReference',
] as const

/** What a type of resource is called; one that nobody can choose here keeps its own name. */
export function shareableWord(type: string, { text }: Words): string {
  const known = shareableTypes.find((one) => one === type)
  return known === undefined ? type : text(`shares_${known}`)
}

/** A step of the history as one title: a task's steps say what became of the work. */
export function stepTitle({ action, to }: Pick<ReferralEvent, 'action' | 'to'>, words: Words): Word {
  if (action === 'task' && to in taskTones) {
    // In a history the first step is what was done, not what is still to be done. Sound: the tones are of all statuses.
    return to === 'REQUESTED' ? { label: words.text('step_request'), tone: 'info' } : taskWord(to as TaskStatus, words)
  }
  return isStep(action)
    ? { label: words.text(`step_${action}`), tone: stepTones[action] }
    : { label: action, tone: 'neutral' }
}

const isStep = (action: string): action is keyof typeof stepTones => Object.hasOwn(stepTones, action)

const stepTones = {
  create: 'neutral',
  change: 'neutral',
  send: 'good',
  hold: 'warning',
  resume: 'info',
  revoke: 'bad',
  reroute: 'info',
  merge: 'info',
  complete: 'good',
  overdue: 'warning',
} as const satisfies Record<string, Tone>
