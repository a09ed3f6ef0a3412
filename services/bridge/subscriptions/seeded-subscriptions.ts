import type { Subscription } from '../../../ports/fhir-store/resources.ts'
import { subscriptionExtensions } from './extensions.ts'

/** One of the 17 subscriptions that a bridge begins with. */
interface SeededSubscription {
  readonly id: string
  readonly criteria: string
  readonly channel: 'rest-hook' | 'message' | 'sms'
  /** Behind the address of the receiver; for sms a number, none for the patient's own. */
  readonly target: string | undefined
  readonly reason: string
}

/** In the order of the reference. `{base}` is the FHIR server's own address. */
export const seededSubscriptions: readonly SeededSubscription[] = [
  rest('sub-01-patient-upsert', 'Patient?active=true', 'patient-registry', 'Patients to the registry'),
  mllp('sub-02-patient-merge', 'Patient?active=false&link:missing=false', 'merges', 'Merged patients (ADT^A40)'),
  mllp(
    'sub-03-inpatient-admit',
    'Encounter?class=IMP&status=in-progress',
    'admissions',
    'Admissions to pharmacy and bed management (ADT^A01)',
  ),
  sms(
    'sub-04-ed-arrival',
    'Encounter?class=EMER&status=arrived,triaged,in-progress',
    '+99900000004',
    'Arrivals at the emergency department to the care coordinator',
  ),
  rest('sub-05-discharge', 'Encounter?class=IMP,EMER&status=finished', 'discharges', 'Discharges to primary care'),
  sms(
    'sub-06-critical-result',
    'Observation?status=final,amended,corrected&interpretation=HH,LL,AA',
    '+99900000006',
    'Critical results to the clinician on call',
  ),
  rest(
    'sub-07-abnormal-result',
    'Observation?category=laboratory&status=final&interpretation=H,L,A',
    'decision-support',
    'Abnormal results to decision support',
  ),
  mllp(
    'sub-08-report-final',
    'DiagnosticReport?status=final,amended,corrected',
    'reports',
    'Final reports to who ordered them (ORU^R01)',
  ),
  rest(
    'sub-09-notifiable-result',
    'Observation?status=final&code:in={base}/ValueSet/notifiable-labs',
    'public-health',
    'Notifiable results to the public-health agency',
  ),
  mllp(
    'sub-10-lab-order',
    'ServiceRequest?status=active&category=108252007',
    'laboratory',
    'Orders to the laboratory (OML^O21)',
  ),
  mllp(
    'sub-11-imaging-order',
    'ServiceRequest?status=active&category=363679005',
    'radiology',
    'Orders to radiology (OMI^O23)',
  ),
  sms(
    'sub-12-stat-order',
    'ServiceRequest?status=active&priority=stat',
    '+99900000012',
    'Stat orders to who is on call',
  ),
  rest('sub-13-document-current', 'DocumentReference?status=current', 'documents', 'Documents to the portal'),
  mllp('sub-14-prescription-active', 'MedicationRequest?status=active', 'pharmacy', 'Prescriptions (RDE^O11)'),
  sms('sub-15-appointment-booked', 'Appointment?status=booked', undefined, 'Reminders to the patient'),
  rest(
    'sub-16-appointment-cancelled',
    'Appointment?status=cancelled,noshow',
    'rescheduling',
    'Cancelled appointments to rescheduling',
  ),
  rest(
    'sub-17-provider-directory',
    'PractitionerRole?active=true,false',
    'directory',
    'Roles to the provider directory',
  ),
]

export interface SeedOptions {
  /** Without the slash at its end. */
  readonly fhirBase: string
  /** Embedded receivers are there to send to; else the subscriptions are off until somebody names receivers. */
  readonly hasSink: boolean
}

/** The host that stands for the embedded receivers, wherever they listen. */
export const sinkHost = 'sink.localhost'

export function seededResource(
  { id, criteria, channel, target, reason }: SeededSubscription,
  { fhirBase, hasSink }: SeedOptions,
): Subscription & { readonly id: string } {
  return {
    resourceType: 'Subscription',
    id,
    extension: [{ url: subscriptionExtensions.seeded, valueBoolean: true }],
    status: hasSink ? 'active' : 'off',
    reason,
    criteria: criteria.replace('{base}', fhirBase),
    channel: { type: channel, ...addressOf(channel, target) },
  }
}

function addressOf(
  channel: SeededSubscription['channel'],
  target: string | undefined,
): Partial<Subscription['channel']> {
  if (channel === 'sms') return target === undefined ? {} : { endpoint: `tel:${target}` }
  if (channel === 'message') {
    return { endpoint: `mllp://${sinkHost}/${target}`, payload: 'x-application/hl7-v2+er7' }
  }
  return { endpoint: `http://${sinkHost}/${target}`, payload: 'application/fhir+json' }
}

function rest(id: string, criteria: string, target: string, reason: string): SeededSubscription {
  return { id, criteria, channel: 'rest-hook', target, reason }
}

function mllp(id: string, criteria: string, target: string, reason: string): SeededSubscription {
  return { id, criteria, channel: 'message', target, reason }
}

function sms(id: string, criteria: string, target: string | undefined, reason: string): SeededSubscription {
  return { id, criteria, channel: 'sms', target, reason }
}
