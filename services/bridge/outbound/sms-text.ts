import type { FhirResource } from '../../../packages/fhir/r4.ts'

/** What is said on a lock screen: that there is something, and where to ask for it. No name, no value, no code. */
export function smsText(resource: FhirResource, { transactionId }: { readonly transactionId: string }): string {
  const sentence = sentences[resource.resourceType] ?? 'There is news for you.'
  if (resource.resourceType === 'Appointment') return `${appointmentText(resource.start)} Please be on time.`
  return `${sentence} Sign in to see it. Ref ${transactionId}`
}

const sentences: Readonly<Record<string, string>> = {
  Observation: 'A result needs your attention now.',
  DiagnosticReport: 'A report is ready.',
  Encounter: 'A patient has arrived.',
  ServiceRequest: 'An urgent order is waiting.',
  MedicationRequest: 'A prescription is waiting.',
}

function appointmentText(start: string | undefined): string {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(start ?? '')
  return match === null ? 'You have an appointment.' : `You have an appointment on ${match[1]} at ${match[2]}.`
}
