import type { Static } from 'typebox'
import { flag, instant, integer, list, object, oneOf, orNull, text } from '../../../packages/http/fields.ts'
import { reply, type Accepted, type ReplyHeaders } from '../../../packages/http/answer.ts'
import { versionTag } from '../../../packages/http/version-tag.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import { availableActions, availableMoves, offeredActions } from '../available-actions.ts'
import type { PartyDeps } from '../party-rules.ts'
import {
  attentions,
  priorities,
  type CountedReferral,
  type Referral,
  type ReferralEvent,
  type ReferralTask,
} from '../referral.ts'
import { referralStatuses, taskStatuses } from '../transitions.ts'

const words = text()

export const ReferralView = object({
  id: integer(),
  status: oneOf(referralStatuses),
  priority: oneOf(priorities),
  patientId: words,
  requesterId: words,
  receivingFacilityClientId: words,
  performerId: orNull(words),
  referralCode: orNull(words),
  referralDisplay: orNull(words),
  reasonCodes: list(words),
  clinicalNote: orNull(words),
  sharedResourceTypes: list(words),
  supportingInfo: list(words),
  occurrenceDate: orNull(words),
  consentVerified: flag({ description: 'Whether the consent gate was passed.' }),
  authoredOn: orNull(instant({ description: 'When it was sent.' })),
  createdBy: words,
  sendingOrganisationId: orNull(words),
  createdAt: instant(),
  updatedAt: instant(),
  statusReason: orNull(text({ description: 'Why it is on hold or was revoked.' })),
  attention: orNull(oneOf(attentions, { description: 'Why somebody should look at it.' })),
  availableActions: list(oneOf(offeredActions), { description: 'What the caller could do now.' }),
})

export const TaskView = object({
  id: integer(),
  referralId: integer(),
  status: oneOf(taskStatuses),
  receivingFacilityClientId: words,
  performerId: orNull(words),
  note: orNull(words),
  rejectionReason: orNull(words),
  acceptBy: instant({ description: 'Until when the receiving facility should accept or reject.' }),
  overdueAt: orNull(instant({ description: 'When it was found not to be accepted in time.' })),
  createdAt: instant(),
  updatedAt: instant(),
  version: integer({ description: 'What If-Match names, in the form of an ETag.' }),
  availableActions: list(oneOf(taskStatuses), { description: 'The statuses that the caller could give it now.' }),
})

export const EventView = object({
  at: instant(),
  action: words,
  taskId: orNull(integer()),
  from: orNull(words),
  to: words,
  reason: orNull(words),
  note: orNull(text({ description: 'What the receiving facility wrote with this step.' })),
  actor: words,
  actorOrganisation: orNull(words),
  requestId: orNull(words),
  decisions: list(
    object({
      resourceType: words,
      outcome: oneOf(['PERMITTED', 'REFUSED', 'UNVERIFIED']),
      consentRecordId: orNull(integer()),
      decisionId: orNull(words),
    }),
  ),
})

export function referralView(
  referral: CountedReferral,
  caller: Caller,
  deps: PartyDeps,
): Accepted<Static<typeof ReferralView>> {
  return {
    ...referral,
    authoredOn: referral.authoredOn?.toISOString() ?? null,
    sendingOrganisationId: referral.sendingOrganisation,
    createdAt: referral.createdAt.toISOString(),
    updatedAt: referral.updatedAt.toISOString(),
    availableActions: availableActions(referral, caller, deps),
  }
}

/** With its version as an entity tag, for whoever wants to change what they have seen. */
export const referralReply = <Status extends 200 | 201>(
  status: Status,
  referral: CountedReferral,
  caller: Caller,
  deps: PartyDeps,
  headers: ReplyHeaders = {},
) => reply(status, referralView(referral, caller, deps), { etag: versionTag(referral.version), ...headers })

export function taskView(
  task: ReferralTask,
  referral: Referral,
  caller: Caller,
  deps: PartyDeps,
): Accepted<Static<typeof TaskView>> {
  return {
    ...task,
    acceptBy: task.acceptBy.toISOString(),
    overdueAt: task.overdueAt?.toISOString() ?? null,
    createdAt: task.createdAt.toISOString(),
    updatedAt: task.updatedAt.toISOString(),
    availableActions: availableMoves(task, referral, caller, deps),
  }
}

/** With its version as an entity tag, as a referral has it. */
export const taskReply = (task: ReferralTask, referral: Referral, caller: Caller, deps: PartyDeps) =>
  reply(200, taskView(task, referral, caller, deps), { etag: versionTag(task.version) })

export const eventView = (event: ReferralEvent): Accepted<Static<typeof EventView>> => ({
  ...event,
  at: event.at.toISOString(),
})
