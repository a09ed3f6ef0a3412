import { timeZone } from '../../packages/config/forms.ts'
import { choice, count, flag, seconds, text, texts } from '../../packages/config/key.ts'
import type { ConfigurationOf } from '../../packages/config/schema.ts'
import { httpSection } from '../../packages/service/http-section.ts'
import { implicitPolicies } from './implicit-policy.ts'

export const consentSection = {
  ...httpSection('consent', 'consent service', 8082),
  implicitPolicy: choice({
    words: implicitPolicies,
    default: 'deny',
    meaning:
      'What holds when no record matches (the implicit policy of IHE PCF). Anything but deny shares data that nobody has agreed to share: set it only where the law says so.',
  }),
  timeZone: text({
    default: 'UTC',
    form: timeZone,
    meaning: 'The zone whose days the periods of consents count, such as Africa/Nairobi.',
  }),
  strictOrganisation: flag({
    default: false,
    meaning:
      'Whether a clinician can record consents for their own organisation only; whoever has none, for none but themselves.',
  }),
  fhirProjection: flag({
    default: true,
    meaning:
      'Whether each record is also written to the FHIR server as a Consent. What is recorded while it is off follows with its next change.',
  }),
  auditToFhir: flag({
    default: true,
    meaning:
      'Whether each decision that is asked for over the network, and each look at consents or change of one, is also written to the FHIR server as an AuditEvent; all are in the table.',
  }),
  clientId: text({
    default: 'svc-consent',
    meaning:
      'The service account with which Consents and AuditEvents are written to the FHIR server, and merged Patients looked for.',
  }),
  clientSecret: text({
    derive: (read) => (read('mode') === 'demo' ? 'demo' : ''),
    defaultText: 'demo in demo mode, none in production',
    secret: true,
    meaning:
      'The secret of that service account. Without it Consents wait, no AuditEvents are written, and no merge is heard of.',
  }),
  auditBeforeAnswer: flag({
    default: false,
    meaning:
      'Whether a decision is answered only once its audit row is durable. Otherwise the row follows within a tenth of a second, and a crash in between loses it.',
  }),
  auditQueueMax: count({
    default: 20_000,
    min: 100,
    max: 1_000_000,
    meaning: 'How many audit events may wait for the database; past it nothing is decided.',
  }),
  enumerationWindowSeconds: seconds({
    default: 600,
    min: 10,
    max: 86_400,
    meaning: 'The window in which the different patients that a caller asks about are counted.',
  }),
  enumerationPatientsMax: count({
    default: 1_000,
    min: 1,
    max: 100_000,
    meaning: 'More different patients than this in one window raise an alert.',
  }),
  enumerationExemptClients: texts({
    derive: (read) => [String(read('bridge.clientId'))],
    defaultText: 'bridge.clientId',
    meaning: 'Service accounts that ask about everybody because that is their work; they raise no alert.',
  }),
}

export type ConsentSection = ConfigurationOf<typeof consentSection>
