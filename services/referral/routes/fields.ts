import { list, object, oneOf, optional, orNull, text } from '../../../packages/http/fields.ts'
import { invalid, type FaultField } from '../../../packages/faults/fault.ts'
import { noReferral, noTask } from '../refusals.ts'
import { taskStatuses, type TaskStatus } from '../transitions.ts'
import { clientIdPattern } from '../../../packages/tokens/client-id.ts'
import { priorities } from '../referral.ts'

const fhirId = '[A-Za-z0-9\\-.]{1,64}'
const reference = (types: string) => new RegExp(`^(?:${types})/${fhirId}$`)

const patientReference = text({ pattern: reference('Patient'), says: 'must be a reference such as Patient/123' })
/** In an address the type may be left out. */
export const patientInAddress = text({
  pattern: new RegExp(`^(?:Patient/)?${fhirId}$`),
  says: 'must be a reference such as Patient/123',
})
const requester = {
  pattern: reference('Practitioner|PractitionerRole'),
  says: 'must be a reference such as Practitioner/123',
}
/** What a referral that no schema has seen names as its requester. */
export const wrongInRequester = (requesterId: string): readonly FaultField[] =>
  requester.pattern.test(requesterId) ? [] : [{ path: 'requesterId', message: requester.says }]

export const organisationReference = text({
  pattern: reference('Organization'),
  says: 'must be a reference such as Organization/123',
})

/** Consent is asked about it before anything is sent, so it must be one that can be asked about. */
const receiverField = text({
  max: 128,
  pattern: clientIdPattern,
  says: 'must be a client id of letters, digits and . _ ~ : @ -',
})

/** Whatever a referral may ever have been sent to. */
export const anyClientId = text({
  max: 128,
  pattern: /^[^\s\0-\u001f]{1,128}$/,
  says: 'must be a client id without spaces',
})

export const shortCharactersMax = 128
export const noteCharactersMax = 2_048
export const rejectionCharactersMax = 1_024
export const listItemsMax = 20

const shortText = text({ max: shortCharactersMax, pattern: /\S/, says: 'must not be blank' })
const documentReference = text({
  max: 128,
  pattern: new RegExp(`^(?:[A-Z][A-Za-z]{1,63}/${fhirId}(?:/_history/${fhirId})?|https?://[^\\s\\0-\\u001f]+)$`),
  says: 'must be a reference such as DocumentReference/123, or an absolute address',
})

/** Whether there is such a day is not for a pattern to say; how exact the time is, does not matter here. */
const dayOrTime = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/

/** Clients write null for what they do not have; that is the same as leaving it out. */
export const NewReferral = object({
  patientId: patientReference,
  requesterId: text(requester),
  receivingFacilityClientId: receiverField,
  performerId: optional(orNull(organisationReference)),
  referralCode: optional(orNull(shortText)),
  referralDisplay: optional(orNull(shortText)),
  priority: optional(orNull(oneOf(priorities))),
  reasonCodes: optional(orNull(list(shortText, { max: listItemsMax }))),
  clinicalNote: optional(orNull(text({ max: noteCharactersMax }))),
  sharedResourceTypes: optional(orNull(list(shortText, { max: listItemsMax }))),
  supportingInfo: optional(orNull(list(documentReference, { max: listItemsMax }))),
  occurrenceDate: optional(orNull(text({ pattern: dayOrTime, says: 'must be a date such as 2026-03-04' }))),
})

export const Reroute = object({
  receivingFacilityClientId: receiverField,
  performerId: optional(orNull(organisationReference)),
})

export const TaskUpdate = object({
  status: text({ description: `One of ${taskStatuses.join(', ')}.` }),
  note: optional(orNull(text({ max: noteCharactersMax }))),
  rejectionReason: optional(orNull(text({ max: rejectionCharactersMax }))),
})

export const reasonQuery = { reason: text({ max: 256, optional: true }) }

export const referralParams = { id: text() }
export const taskParams = { id: text(), taskId: text() }

/** What is no number cannot be the id of anything. */
export function referralIdOf({ id }: { readonly id: string }): number {
  if (!isId(id)) throw noReferral()
  return Number(id)
}

export function taskIdOf({ taskId }: { readonly taskId: string }): number {
  if (!isId(taskId)) throw noTask()
  return Number(taskId)
}

const isId = (given: string) => /^\d{1,15}$/.test(given)

/** The nine names, in whichever case. */
export function taskStatusOf(word: string): TaskStatus {
  const status = statusIn(word)
  if (status === undefined) throw invalid(...wrongInStatus(word))
  return status
}

export const wrongInStatus = (word: string): readonly FaultField[] =>
  statusIn(word) === undefined ? [{ path: 'status', message: `must be one of ${taskStatuses.join(', ')}` }] : []

const statusIn = (word: string) => taskStatuses.find((known) => known === word.toUpperCase())
