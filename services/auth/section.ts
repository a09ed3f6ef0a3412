import { address, choice, count, flag, path, seconds, text } from '../../packages/config/key.ts'
import { records } from '../../packages/config/records.ts'
import type { ConfigurationOf } from '../../packages/config/schema.ts'
import { httpSection } from '../../packages/service/http-section.ts'
import { clientFields } from './registration/client-fields.ts'
import { userFields } from './registration/user-fields.ts'

const day = 86_400

export const authSection = {
  ...httpSection('auth', 'authorization server', 9000),
  clientUrl: address({
    derive: (read) => String(read('immunization.url')),
    defaultText: '<immunization.url>',
    meaning: 'The SMART client that the clinician portal launches.',
  }),
  keyDirectory: path({
    derive: (read) => `${String(read('dataDir'))}/keys`,
    defaultText: '<dataDir>/keys',
    meaning: 'Where the signing keys lie. Production wants it named, so that somebody has thought of its backup.',
  }),
  platformAudience: text({
    default: 'urn:corridor:platform',
    meaning:
      'The audience of tokens that may call the consent, referral and bridge APIs; only first-party clients get it.',
  }),
  accessTokenSeconds: seconds({
    default: 3600,
    min: 60,
    max: 3600,
    meaning: 'How long an access token of a user lives.',
  }),
  serviceTokenSeconds: seconds({
    default: 300,
    min: 60,
    max: 3600,
    meaning: 'How long an access token of a service account (client_credentials) lives.',
  }),
  codeSeconds: seconds({ default: 60, min: 10, max: 600, meaning: 'How long an authorization code can be exchanged.' }),
  launchSeconds: seconds({ default: 300, min: 30, max: 3600, meaning: 'How long a launch token of the portal lives.' }),
  sessionIdleSeconds: seconds({
    default: 1800,
    min: 60,
    max: day,
    meaning: 'A login ends after this time without a request.',
  }),
  sessionSeconds: seconds({ default: 8 * 3600, min: 300, max: 7 * day, meaning: 'How long a login lasts at most.' }),
  refreshIdleSeconds: seconds({
    default: 14 * day,
    min: 300,
    max: 365 * day,
    meaning: 'How long an unused refresh token with offline_access stays good; each use gives a new one.',
  }),
  refreshSeconds: seconds({
    default: 90 * day,
    min: 300,
    max: 90 * day,
    meaning: 'How long an app with offline_access can go on refreshing in all before the user signs in again.',
  }),
  refreshReuseLeewaySeconds: seconds({
    default: 0,
    max: 60,
    meaning: 'How long a used refresh token is taken once more, for apps that refresh twice at the same moment.',
  }),
  scopeLengthMax: count({
    default: 8_192,
    min: 256,
    max: 8_192,
    meaning: 'The most characters that the scope of an authorization request may have.',
  }),
  stateLengthMax: count({
    default: 4_096,
    min: 64,
    max: 4_096,
    meaning: 'The most characters that the state of an authorization request may have.',
  }),
  waitingRequestsPerAddressMax: count({
    default: 1_000,
    min: 10,
    max: 100_000,
    meaning:
      'How many authorization requests from one address may wait for their users to sign in, pick or agree; each waits a quarter of an hour at most. A hospital may have one address for all of its people.',
  }),
  waitingRequestsMax: count({
    default: 20_000,
    min: 100,
    max: 1_000_000,
    meaning: 'How many authorization requests may wait in all; one takes up to some 10 kB of the database.',
  }),
  authorizationResponseIss: flag({
    default: true,
    meaning:
      'Whether the answer to an app names its issuer (RFC 9207). Off helps single-page apps that mistake it for a launch.',
  }),
  patientPicker: choice({
    words: ['auto', 'never'],
    default: 'auto',
    meaning: 'Whether a clinician picks a patient when an app asks for launch/patient outside an EHR launch.',
  }),
  totp: flag({
    default: false,
    meaning: 'Whether the login page asks for a one-time code; users who have none leave it empty.',
  }),
  auditToFhir: flag({
    default: true,
    meaning: 'Whether audit events also go to the FHIR store as AuditEvent resources; they are always in the table.',
  }),
  developmentConsole: flag({
    default: false,
    meaning: 'Shows the tables of the authorization server, secrets masked, under /h2-console to this machine only.',
  }),
  loopbackKeySets: flag({
    default: false,
    meaning: 'Whether a client may name a jwks_uri on this machine, without TLS. For development.',
  }),
  clients: records({
    meaning: 'Apps and service accounts, reconciled at each start: one that is no longer named is disabled.',
    fields: clientFields,
    needed: ['clientId'],
    secret: true,
  }),
  users: records({
    meaning: 'People who can sign in, reconciled at each start: one who is no longer named is disabled.',
    fields: userFields,
    needed: ['username', 'fhirUser', 'roles'],
    secret: true,
  }),
}

export type AuthSection = ConfigurationOf<typeof authSection>
