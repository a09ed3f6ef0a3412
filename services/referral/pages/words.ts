import type { Tone } from '../../../packages/views/components/tone.ts'
import type { OfferedAction } from '../available-actions.ts'
import type { Attention, Priority, ReferralEvent } from '../referral.ts'
import type { ReferralStatus, TaskStatus } from '../transitions.ts'

/** What statuses and steps are called on pages, and how much they want to be seen. */
export interface Word {
  readonly label: string
  readonly tone: Tone
}

export const statusWords: Readonly<Record<ReferralStatus, Word>> = {
  DRAFT: { label: 'Draft', tone: 'neutral' },
  ACTIVE: { label: 'Sent', tone: 'info' },
  ONHOLD: { label: 'On hold', tone: 'warning' },
  COMPLETED: { label: 'Completed', tone: 'good' },
  REVOKED: { label: 'Revoked', tone: 'bad' },
}

export const taskWords: Readonly<Record<TaskStatus, Word>> = {
  REQUESTED: { label: 'Not yet seen', tone: 'warning' },
  RECEIVED: { label: 'Received', tone: 'info' },
  ACCEPTED: { label: 'Accepted', tone: 'info' },
  INPROGRESS: { label: 'In progress', tone: 'info' },
  ONHOLD: { label: 'Paused', tone: 'warning' },
  COMPLETED: { label: 'Completed', tone: 'good' },
  REJECTED: { label: 'Rejected', tone: 'bad' },
  CANCELLED: { label: 'Cancelled', tone: 'neutral' },
  FAILED: { label: 'Failed', tone: 'bad' },
}

export const priorityWords: Readonly<Record<Priority, Word>> = {
  STAT: { label: 'At once', tone: 'bad' },
  ASAP: { label: 'As soon as possible', tone: 'warning' },
  URGENT: { label: 'Urgent', tone: 'warning' },
  ROUTINE: { label: 'Routine', tone: 'neutral' },
}

export const attentionWords: Readonly<Record<Attention, string>> = {
  TASK_REJECTED: 'Rejected by the receiving facility',
  TASK_FAILED: 'Could not be done',
  TASK_CANCELLED: 'Cancelled',
  NOT_ACCEPTED_IN_TIME: 'Not accepted in time',
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

/** What a type of resource is called where somebody chooses what to share. */
export const shareable: Readonly<Record<string, string>> = {
  Condition: 'Diagnoses and problems',
  Observation: 'Results and vital signs',
  DiagnosticReport: 'Reports',
  MedicationRequest: 'Prescriptions',
  AllergyIntolerance: 'Allergies',
  Immunization: 'Vaccinations',
  Encounter: 'Visits',
  DocumentReference: 'Documents',
}

/** A step of the history as one title: a task's steps say what became of the work. */
export function stepTitle({ action, to }: Pick<ReferralEvent, 'action' | 'to'>): Word {
  const task = action === 'task' && to in taskStepWords ? taskStepWords[to as TaskStatus] : undefined
  return task ?? stepWords[action] ?? { label: action, tone: 'neutral' }
}

/** In a history the first step is what was done, not what is still to be done. */
const taskStepWords: Readonly<Record<TaskStatus, Word>> = {
  ...taskWords,
  REQUESTED: { label: 'Work requested', tone: 'info' },
}

const stepWords: Readonly<Record<string, Word>> = {
  create: { label: 'Draft made', tone: 'neutral' },
  change: { label: 'Draft changed', tone: 'neutral' },
  send: { label: 'Sent', tone: 'good' },
  hold: { label: 'Put on hold', tone: 'warning' },
  resume: { label: 'Resumed', tone: 'info' },
  revoke: { label: 'Revoked', tone: 'bad' },
  reroute: { label: 'Another facility asked', tone: 'info' },
  merge: { label: 'Patient record merged', tone: 'info' },
  complete: { label: 'Referral completed', tone: 'good' },
  overdue: { label: 'Not accepted in time', tone: 'warning' },
}
