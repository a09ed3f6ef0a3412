import type { ReferralStatus, TaskStatus } from './transitions.ts'

/** In the order in which an inbox shows them. The place in this list is what the database holds: append only. */
export const priorities = ['STAT', 'ASAP', 'URGENT', 'ROUTINE'] as const
export type Priority = (typeof priorities)[number]

/** Why somebody should look at a referral that is under way. */
export const attentions = ['TASK_REJECTED', 'TASK_FAILED', 'TASK_CANCELLED', 'NOT_ACCEPTED_IN_TIME'] as const
export type Attention = (typeof attentions)[number]

/** What a referring clinician writes. */
export interface ReferralDraft {
  readonly patientId: string
  readonly requesterId: string
  readonly receivingFacilityClientId: string
  readonly performerId: string | null
  readonly referralCode: string | null
  readonly referralDisplay: string | null
  readonly priority: Priority
  readonly reasonCodes: readonly string[]
  readonly clinicalNote: string | null
  readonly sharedResourceTypes: readonly string[]
  readonly supportingInfo: readonly string[]
  /** A day, `YYYY-MM-DD`. */
  readonly occurrenceDate: string | null
}

export interface Referral extends ReferralDraft {
  readonly id: number
  readonly status: ReferralStatus
  readonly statusReason: string | null
  readonly consentVerified: boolean
  readonly authoredOn: Date | null
  readonly attention: Attention | null
  /** The subject and organisation of the token that created it: the requester's side. */
  readonly createdBy: string
  readonly sendingOrganisation: string | null
  readonly sendingClientId: string
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly heldAt: Date | null
  readonly version: number
}

export interface CountedReferral extends Referral {
  /** How many of its tasks are still somebody's work. */
  readonly openTasks: number
}

export interface ReferralTask {
  readonly id: number
  readonly referralId: number
  readonly status: TaskStatus
  readonly receivingFacilityClientId: string
  readonly performerId: string | null
  readonly note: string | null
  readonly rejectionReason: string | null
  /** Until when the receiving facility should accept or reject. */
  readonly acceptBy: Date
  /** When it was found not to have been accepted in time. */
  readonly overdueAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
  /** Counts its steps. */
  readonly version: number
}

/** One step of a referral's or a task's history. */
export interface ReferralEvent {
  readonly at: Date
  /** `create`, an action of a referral, `task`, `overdue`, or `merge`: its patient was merged into another. */
  readonly action: string
  readonly taskId: number | null
  readonly from: string | null
  readonly to: string
  readonly reason: string | null
  /** What the receiving facility wrote with this step; the task keeps only the last. */
  readonly note: string | null
  /** The subject of the token, or `system`. */
  readonly actor: string
  readonly actorOrganisation: string | null
  readonly requestId: string | null
  /** What the consent service decided for each shared type, where this step passed the gate. */
  readonly decisions: readonly GateDecision[]
}

export interface GateDecision {
  readonly resourceType: string
  readonly outcome: 'PERMITTED' | 'REFUSED' | 'UNVERIFIED'
  readonly consentRecordId: number | null
  readonly decisionId: string | null
}

/** Who acts, as far as history and audit tell it. */
export interface Actor {
  readonly subject: string
  readonly clientId: string
  readonly organisation: string | null
  readonly peer: string | null
  readonly requestId: string | null
}

/** Time limits and other work of our own. */
export const systemActor: Actor = {
  subject: 'system',
  clientId: 'svc-referral',
  organisation: null,
  peer: null,
  requestId: null,
}
