import type { Tone } from '../../../packages/views/components/tone.ts'
import type { Dependency } from '../breakers/breakers.ts'
import type { BreakerState } from '../breakers/circuit-breaker.ts'
import type { DeliveryStatus } from '../outbound/delivery.ts'
import type { ChannelId } from '../pipeline/channel.ts'
import type { Stage } from '../pipeline/stage.ts'
import type { ChannelStatus } from '../listeners/channel-control.ts'
import type { DeliveryChannel } from '../subscriptions/subscription.ts'
import type { TransactionStatus } from '../store/transactions.ts'

interface Words {
  readonly label: string
  readonly tone: Tone
}

export const stageNames: Readonly<Record<Stage, string>> = {
  RECEIVE: 'Receive',
  ENRICH: 'Enrich',
  TRANSFORM: 'Transform',
  GOVERN: 'Govern',
  PERSIST: 'Persist',
  DISPATCH: 'Dispatch',
  ACK: 'Answer',
}

export const channelNames: Readonly<Record<ChannelId, string>> = {
  adt: 'Patients and visits',
  oru: 'Results',
  orm: 'Orders',
  mdm: 'Documents',
  qbp: 'Queries',
  rde: 'Prescriptions',
  siu: 'Appointments',
  mfn: 'Master files',
}

export const channelWords: Readonly<Record<ChannelStatus, Words>> = {
  STARTING: { label: 'Starting', tone: 'info' },
  RUNNING: { label: 'Listening', tone: 'good' },
  PAUSED: { label: 'Paused', tone: 'warning' },
  STOPPED: { label: 'Switched off', tone: 'neutral' },
  ERROR: { label: 'Cannot listen', tone: 'bad' },
}

export const breakerWords: Readonly<Record<BreakerState, Words & { readonly closed: string }>> = {
  CLOSED: { label: 'Answers', tone: 'good', closed: 'Closed' },
  'HALF-OPEN': { label: 'Being tried', tone: 'warning', closed: 'Half-open' },
  OPEN: { label: 'Does not answer', tone: 'bad', closed: 'Open' },
}

interface DependencyWords {
  readonly name: string
  readonly stage: Stage
  readonly does: string
  /** What happens to messages while it does not answer. */
  readonly whenOpen: string
}

const sentAgain =
  'Messages that need it are answered with AE; their senders keep them and send them again. What they were told AA of waits in the retry queue.'

export const dependencyWords: Readonly<Record<Dependency, DependencyWords>> = {
  'fhir-server': {
    ...{ name: 'FHIR server', stage: 'PERSIST', does: 'Stores what messages say.' },
    whenOpen: 'Messages are accepted and wait in the retry queue. Nothing is lost, and each patient’s order is kept.',
  },
  'consent-service': {
    ...{ name: 'Consent', stage: 'GOVERN', does: 'Says whether data may be stored and shared.' },
    whenOpen: sentAgain,
  },
  'patient-index': {
    ...{ name: 'Patient index', stage: 'ENRICH', does: 'Knows which records are the same person.' },
    whenOpen: sentAgain,
  },
  'facility-registry': {
    ...{ name: 'Facilities', stage: 'ENRICH', does: 'Knows the senders by their codes.' },
    whenOpen: 'Messages of senders that are remembered go on; others are answered with AE, and sent again.',
  },
  terminology: {
    ...{ name: 'Terminology', stage: 'TRANSFORM', does: 'Translates the senders’ codes.' },
    whenOpen: 'Codes stay as they were sent, unless the configuration says that it must be asked.',
  },
}

export const messageWords: Readonly<Record<TransactionStatus, Words>> = {
  PROCESSING: { label: 'At work', tone: 'info' },
  QUEUED: { label: 'Waiting', tone: 'warning' },
  SUCCESS: { label: 'Succeeded', tone: 'good' },
  ERROR: { label: 'Failed', tone: 'bad' },
  DUPLICATE: { label: 'Duplicate', tone: 'neutral' },
}

export const ackWords: Readonly<Record<string, Words>> = {
  AA: { label: 'AA accepted', tone: 'good' },
  CA: { label: 'CA taken over', tone: 'good' },
  AE: { label: 'AE error', tone: 'bad' },
  CE: { label: 'CE error', tone: 'bad' },
  AR: { label: 'AR refused', tone: 'warning' },
  CR: { label: 'CR refused', tone: 'warning' },
  none: { label: 'No answer wanted', tone: 'neutral' },
}

export const deliveryWords: Readonly<Record<DeliveryStatus, Words>> = {
  waiting: { label: 'Waiting', tone: 'info' },
  delivered: { label: 'Delivered', tone: 'good' },
  dead: { label: 'Given up', tone: 'bad' },
  skipped: { label: 'Left out', tone: 'neutral' },
}

export const deliveryChannelWords: Readonly<Record<DeliveryChannel, string>> = {
  message: 'HL7 message',
  'rest-hook': 'REST hook',
  sms: 'Short message',
}

/** What the bridge does after the answer, by queue, and what it waits for. */
export const backgroundWords: Readonly<Record<string, { readonly what: string; readonly needs: string }>> = {
  'bridge.audit.syslog': {
    what: 'Audit records for the repository',
    needs: 'They go as soon as it takes them (bridge.audit.repositoryHost).',
  },
  'bridge.audit.fhir': { what: 'Audit events for the FHIR store', needs: 'They go as soon as it takes them.' },
  'bridge.coordination': { what: 'News for the coordination service', needs: 'They go as soon as it answers.' },
  'bridge.decision-support': { what: 'Checks of prescriptions', needs: 'They need the FHIR store.' },
  'bridge.writes': { what: 'What was stored, for the subscriptions', needs: 'It needs the FHIR store.' },
  'bridge.write': { what: 'What was stored, for the subscriptions', needs: 'It needs the FHIR store.' },
  'bridge.escalation': { what: 'Reminders of critical results', needs: 'They need the SMS gateway.' },
  'bridge.retry-run': { what: 'Batches of retries', needs: 'Begin them again from the dead letters.' },
  'bridge.code-rerun': {
    what: 'Messages to be run again for a code',
    needs: 'Change the mapping of the code once more.',
  },
}
