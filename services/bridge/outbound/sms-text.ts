import { dayIn } from '../../../packages/clock/day-in.ts'
import type { Appointment, FhirResource } from '../../../packages/fhir/r4.ts'

/** What is said on a lock screen: that there is something, and where to ask for it. No name, no value, no code. */
export function smsText(
  resource: FhirResource,
  { transactionId, timeZone }: { readonly transactionId: string; readonly timeZone: string },
): string {
  if (resource.resourceType === 'Appointment') return appointmentText(resource, timeZone)
  return `${sentenceOf(resource)} Sign in to see it. Ref ${transactionId}`
}

function sentenceOf(resource: FhirResource): string {
  const { resourceType } = resource
  const status = 'status' in resource && typeof resource.status === 'string' ? resource.status : ''
  const told = takenBack.has(status) ? withdrawn : sentences
  return otherwise[`${resourceType} ${status}`] ?? told[resourceType] ?? 'There is news for you.'
}

/** Nobody shall hurry to what is no more. */
const takenBack = new Set(['cancelled', 'entered-in-error', 'revoked', 'stopped'])

const withdrawn: Readonly<Record<string, string>> = {
  Observation: 'A result was withdrawn.',
  DiagnosticReport: 'A report was withdrawn.',
  Encounter: 'A visit was cancelled.',
  ServiceRequest: 'An order was cancelled.',
  MedicationRequest: 'A prescription was cancelled.',
}

const otherwise: Readonly<Record<string, string>> = {
  'Encounter planned': 'A patient is expected.',
  'Encounter finished': 'A patient has left.',
  'ServiceRequest completed': 'An order was carried out.',
  'MedicationRequest completed': 'A prescription has ended.',
}

const sentences: Readonly<Record<string, string>> = {
  Observation: 'A result needs your attention now.',
  DiagnosticReport: 'A report is ready.',
  Encounter: 'A patient has arrived.',
  ServiceRequest: 'An urgent order is waiting.',
  MedicationRequest: 'A prescription is waiting.',
}

function appointmentText({ status, start }: Appointment, timeZone: string): string {
  const [, date, time] = (isInUtc(start) ? localTime(start, timeZone) : start)?.match(clockTime) ?? []
  const when = date === undefined ? '' : ` on ${date} at ${time}`
  if (takenBack.has(status)) return `Your appointment${when} is cancelled.`
  const isOver = status === 'noshow' || status === 'fulfilled'
  return isOver ? `There is news of your appointment${when}.` : `You have an appointment${when}. Please be on time.`
}

const clockTime = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/

/** Any other offset is that of the place: what stands before it is what its clocks show. */
export const isInUtc = (start: string | undefined): start is string =>
  /(Z|[+-]00:00)$/.test(start ?? '') && !Number.isNaN(Date.parse(start ?? ''))

function localTime(start: string, timeZone: string): string {
  const at = new Date(start)
  const time = at.toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
  return `${dayIn(timeZone, at)}T${time}`
}
