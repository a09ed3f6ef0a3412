import type { Annotation, CodeableConcept, ServiceRequest, Task } from '../../../packages/fhir/r4.ts'
import { stringOf } from '../../../packages/fhir/string.ts'
import type { Referral, ReferralTask } from '../referral.ts'
import type { ReferralStatus, TaskStatus } from '../transitions.ts'

interface ProjectedReferral {
  readonly serviceRequest: Identified<ServiceRequest>
  readonly tasks: readonly Identified<Task>[]
}

type Identified<Resource> = Resource & { readonly id: string }

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
const fhirTaskId = (taskId: number) => `corridor-referral-task-${taskId}`

function serviceRequestOf(referral: Referral, identifierSystem: string): Identified<ServiceRequest> {
  const reasonCode = referral.reasonCodes.flatMap(reasonOf)
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
    ...(reasonCode.length === 0 ? {} : { reasonCode }),
    ...(referral.supportingInfo.length === 0
      ? {}
      : { supportingInfo: referral.supportingInfo.map((reference) => ({ reference })) }),
    ...noteOf(referral.clinicalNote),
  }
}

function fhirTaskOf(task: ReferralTask, referral: Referral, identifierSystem: string): Identified<Task> {
  const request = { reference: `ServiceRequest/${serviceRequestId(referral.id)}` }
  const rejection = stringOf(task.rejectionReason)
  return {
    resourceType: 'Task',
    id: fhirTaskId(task.id),
    identifier: [{ system: `${identifierSystem}/tasks`, value: String(task.id) }],
    basedOn: [request],
    status: fhirTaskStatuses[task.status],
    ...(rejection === undefined ? {} : { statusReason: { text: rejection } }),
    intent: 'order',
    priority: fhirPriorities[referral.priority],
    code: { coding: [{ system: 'http://hl7.org/fhir/CodeSystem/task-code', code: 'fulfill' }] },
    focus: request,
    for: { reference: referral.patientId },
    authoredOn: task.createdAt.toISOString(),
    lastModified: task.updatedAt.toISOString(),
    requester: { reference: referral.requesterId },
    owner: receiverOf(task),
    ...noteOf(task.note),
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

function noteOf(said: string | null): { note?: Annotation[] } {
  const text = stringOf(said)
  return text === undefined ? {} : { note: [{ text }] }
}

/** What is written where a code should be, and is none, is said in words. */
function codeOf(referral: Referral): { code?: CodeableConcept } {
  const [code, display] = [stringOf(referral.referralCode), stringOf(referral.referralDisplay)]
  if (code === undefined || !isCode(code)) {
    const text = display ?? code
    return text === undefined ? {} : { code: { text } }
  }
  return { code: { coding: [{ system: snomed, code, ...(display === undefined ? {} : { display }) }] } }
}

const isCode = (text: string) => /^\S+(?: \S+)*$/.test(text)

/** The code alone tells its system: SNOMED CT has digits only, ICD-10 begins with a letter and a digit. */
function reasonOf(code: string): CodeableConcept[] {
  if (/^\d{6,18}$/.test(code)) return [{ coding: [{ system: snomed, code }] }]
  if (/^[A-Z]\d[0-9A-Z](\.[0-9A-Z]{1,4})?$/i.test(code)) {
    return [{ coding: [{ system: 'http://hl7.org/fhir/sid/icd-10', code: code.toUpperCase() }] }]
  }
  const text = stringOf(code)
  return text === undefined ? [] : [{ text }]
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
