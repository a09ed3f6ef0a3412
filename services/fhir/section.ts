import { webOrigin } from '../../packages/config/forms.ts'
import { bytes, count, text, texts } from '../../packages/config/key.ts'
import type { ConfigurationOf } from '../../packages/config/schema.ts'
import { httpSection } from '../../packages/service/http-section.ts'

export const fhirSection = {
  ...httpSection('fhir', 'FHIR store', 8080, '/fhir'),
  bodyBytesMax: bytes({
    default: 33_554_432,
    min: 65_536,
    max: 268_435_456,
    meaning: 'The largest resource or bundle that is taken.',
  }),
  bundleEntriesMax: count({
    default: 10_000,
    min: 1,
    max: 100_000,
    meaning: 'The most entries that a batch or transaction may have.',
  }),
  allowedOrigins: texts({
    default: [],
    form: webOrigin,
    meaning:
      'Web origins (such as https://app.example) whose pages may call the FHIR API with a token, beside those of registered clients.',
  }),
  consentClientId: text({
    derive: (read) => String(read('consent.clientId')),
    defaultText: 'consent.clientId',
    meaning:
      'The service account of the consent service. The Consents that show its records are written by nobody else.',
  }),
  referralClientId: text({
    derive: (read) => String(read('referral.clientId')),
    defaultText: 'referral.clientId',
    meaning:
      'The service account of the referral service. The ServiceRequests and Tasks that show its referrals are written by nobody else.',
  }),
}

export type FhirSection = ConfigurationOf<typeof fhirSection>
