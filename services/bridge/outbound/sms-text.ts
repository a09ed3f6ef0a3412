import { dayIn } from '../../../packages/clock/day-in.ts'
import type { FhirResource } from '../../../packages/fhir/r4.ts'

/** What is said on a lock screen: that there is something, and where to ask for it. No name, no value, no code. */
export function smsText(
  resource: FhirResource,
  { transactionId, timeZone }: { readonly transactionId: string; readonly timeZone: string },
): string {
  const sentence = sentences[resource.resourceType] ?? 'There is news for you.'
  if (resource.resourceType === 'Appointment') return `${appointmentText(resource.start, timeZone)} Please be on time.`
  return `${sentence} Sign in to see it. Ref ${transactionId}`
}

const sentences: Readonly<Record<string, string>> = {
  Observation: 'A result needs your attention now.',
  DiagnosticReport: 'A report is ready.',
  Encounter: 'A patient has arrived.',
  ServiceRequest: 'An urgent order is waiting.',
  MedicationRequest: 'A prescription is waiting.',
}

function appointmentText(start: string | undefined, timeZone: string): string {
  const [, date, time] = (isInUtc(start) ? localTime(start, timeZone) : start)?.match(clockTime) ?? []
  return date === undefined ? 'You have an appointment.' : `You have an appointment on ${date} at ${time}.`
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
