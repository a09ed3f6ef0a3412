import type { CodeableConcept, ServiceRequest, Task } from '../../../packages/fhir/r4.ts'
import type { Referral, ReferralTask } from '../referral.ts'
import type { ReferralStatus, TaskStatus } from '../transitions.ts'

export interface ProjectedReferral {
  readonly serviceRequest: Identified<ServiceRequest>
  readonly tasks: readonly Identified<Task>[]
}

export type Identified<Resource> = Resource & { readonly id: string }

/** A referral and its tasks in FHIR. Ids follow from ours, so that writing them twice changes nothing. */
export function projectReferral(
  referral: Referral,
  tasks: readonly ReferralTask[],
  identifierSystem: string,
): ProjectedReferral {
  return {
    serviceRequest: serviceRequestOf(referral, identifierSystem),
    tasks: tasks.map((task) => fhirTaskOf(task, referral, identifierSystem)),
  }
}

export const serviceRequestId = (referralId: number) => `corridor-referral-${referralId}`
export const fhirTaskId = (taskId: number) => `corridor-referral-task-${taskId}`

function serviceRequestOf(referral: Referral, identifierSystem: string): Identified<ServiceRequest> {
  return {
    resourceType: 'ServiceRequest',
    id: serviceRequestId(referral.id),
    identifier: [{ system: identifierSystem, value: String(referral.id) }],
    status: serviceRequestStatuses[referral.status],
    intent: 'order',
    priority: fhirPriorities[referral.priority],
    ...codeOf(referral),
    subject: { reference: referral.patientId },
    ...(referral.occurrenceDate === null ? {} : { occurrenceDateTime: referral.occurrenceDate }),
    ...(referral.authoredOn === null ? {} : { authoredOn: referral.authoredOn.toISOString() }),
    requester: { reference: referral.requesterId },
    performer: [receiverOf(referral)],
    ...(referral.reasonCodes.length === 0 ? {} : { reasonCode: referral.reasonCodes.map(reasonOf) }),
    ...(referral.supportingInfo.length === 0
      ? {}
      : { supportingInfo: referral.supportingInfo.map((reference) => ({ reference })) }),
    ...(referral.clinicalNote === null ? {} : { note: [{ text: referral.clinicalNote }] }),
  }
}

function fhirTaskOf(task: ReferralTask, referral: Referral, identifierSystem: string): Identified<Task> {
  const request = { reference: `ServiceRequest/${serviceRequestId(referral.id)}` }
  return {
    resourceType: 'Task',
    id: fhirTaskId(task.id),
    identifier: [{ system: `${identifierSystem}/tasks`, value: String(task.id) }],
    basedOn: [request],
    status: fhirTaskStatuses[task.status],
    ...(task.rejectionReason === null ? {} : { statusReason: { text: task.rejectionReason } }),
    intent: 'order',
    priority: fhirPriorities[referral.priority],
    code: { coding: [{ system: 'http://hl7.org/fhir/CodeSystem/task-code', code: 'fulfill' }] },
    focus: request,
    for: { reference: referral.patientId },
    authoredOn: task.createdAt.toISOString(),
    lastModified: task.updatedAt.toISOString(),
    requester: { reference: referral.requesterId },
    owner: receiverOf(task),
    ...(task.note === null ? {} : { note: [{ text: task.note }] }),
  }
}

/** A facility that is not named as an organisation is known by its client id. */
function receiverOf({
  performerId,
  receivingFacilityClientId,
}: Pick<ReferralTask, 'performerId' | 'receivingFacilityClientId'>) {
  return performerId === null
    ? { type: 'Organization', identifier: { system: 'urn:corridor:client-id', value: receivingFacilityClientId } }
    : { reference: performerId }
}

function codeOf({ referralCode, referralDisplay }: Referral): { code?: CodeableConcept } {
  if (referralCode === null) return referralDisplay === null ? {} : { code: { text: referralDisplay } }
  const display = referralDisplay === null ? {} : { display: referralDisplay }
  return { code: { coding: [{ system: snomed, code: referralCode, ...display }] } }
}

/** The code alone tells its system: SNOMED CT has digits only, ICD-10 begins with a letter and a digit. */
function reasonOf(code: string): CodeableConcept {
  if (/^\d{6,18}$/.test(code)) return { coding: [{ system: snomed, code }] }
  if (/^[A-Z]\d[0-9A-Z](\.[0-9A-Z]{1,4})?$/i.test(code)) {
    return { coding: [{ system: 'http://hl7.org/fhir/sid/icd-10', code: code.toUpperCase() }] }
  }
  return { text: code }
}

const snomed = 'http://snomed.info/sct'

const fhirPriorities = { STAT: 'stat', ASAP: 'asap', URGENT: 'urgent', ROUTINE: 'routine' } as const

const serviceRequestStatuses: Readonly<Record<ReferralStatus, ServiceRequest['status']>> = {
  DRAFT: 'draft',
  ACTIVE: 'active',
  ONHOLD: 'on-hold',
  COMPLETED: 'completed',
  REVOKED: 'revoked',
}

const fhirTaskStatuses: Readonly<Record<TaskStatus, Task['status']>> = {
  REQUESTED: 'requested',
  RECEIVED: 'received',
  ACCEPTED: 'accepted',
  REJECTED: 'rejected',
  CANCELLED: 'cancelled',
  INPROGRESS: 'in-progress',
  COMPLETED: 'completed',
  ONHOLD: 'on-hold',
  FAILED: 'failed',
}
