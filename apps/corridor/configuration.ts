import { addressOrNetwork } from '../../packages/config/forms.ts'
import {
  bytes,
  choice,
  count,
  milliseconds,
  optionalText,
  path,
  seconds,
  text,
  texts,
} from '../../packages/config/key.ts'
import type { Loaded } from '../../packages/config/load.ts'
import type { ConfigurationOf } from '../../packages/config/schema.ts'
import { logLevels } from '../../packages/log/log.ts'
import { authSection } from '../../services/auth/section.ts'
import { bridgeSection } from '../../services/bridge/section.ts'
import { consentSection } from '../../services/consent/section.ts'
import { fhirSection } from '../../services/fhir/section.ts'
import { immunizationSection } from '../../services/immunization/section.ts'
import { referralSection } from '../../services/referral/section.ts'

/** Every key of Corridor, in the order in which the reference shows them. */
export const configurationSchema = {
  mode: choice({
    words: ['demo', 'production'],
    default: 'production',
    meaning:
      'demo (what `npm start` uses) has demo data and accounts and listens on loopback only; production refuses demo secrets and wants a database and a key directory named.',
  }),
  dataDir: path({
    default: './data',
    meaning: 'Where the embedded database and, unless named elsewhere, the keys lie.',
  }),
  diskFreeBytesMin: bytes({
    default: 500_000_000,
    meaning: 'With less room than this on the disk of the data directory, `/actuator/health` says DOWN.',
  }),
  log: {
    level: choice({
      words: logLevels,
      derive: (read) => (read('mode') === 'demo' ? 'warn' : 'info'),
      defaultText: 'warn in demo mode, info in production',
      meaning: 'The least important log event that is written (one JSON object a line on standard error).',
    }),
  },
  listen: {
    hosts: texts({
      default: ['127.0.0.1', '::1'],
      meaning: 'The addresses that every listener binds. Loopback unless you say otherwise.',
    }),
  },
  http: {
    bodyBytesMax: bytes({
      default: 1_048_576,
      min: 1_024,
      meaning: 'The largest request body; routes may allow more.',
    }),
    headerBytesMax: bytes({ default: 16_384, min: 1_024, max: 262_144, meaning: 'The largest request head.' }),
    headersTimeoutMs: milliseconds({
      default: 10_000,
      min: 100,
      meaning: 'How long a request head may take to arrive.',
    }),
    requestTimeoutMs: milliseconds({
      default: 60_000,
      min: 100,
      meaning: 'How long a whole request may take to arrive.',
    }),
    keepAliveTimeoutMs: milliseconds({ default: 65_000, min: 100, meaning: 'How long an idle connection is kept.' }),
    answerTimeoutMs: milliseconds({
      default: 60_000,
      min: 100,
      meaning: 'How long a caller may take none of an answer that waits for them.',
    }),
    unansweredMax: count({
      default: 16,
      min: 1,
      meaning: 'Requests of one connection that wait for their answers; a connection with more is closed.',
    }),
    connectionsMax: count({ default: 10_000, min: 1, meaning: 'Connections of one listener at most.' }),
    trustedProxies: texts({
      default: [],
      form: addressOrNetwork,
      meaning:
        'Addresses and ranges (172.30.0.0/24) of the proxies before Corridor: their X-Forwarded-For and -Proto are believed, so that limits and audit see the client. Of nobody else: who calls from such a range by way of the proxy can claim any address.',
    }),
  },
  workspace: {
    clientId: text({
      default: 'corridor-workspace',
      meaning: 'The client that the pages of the bridge, the consent and the referral service sign in with.',
    }),
    sessionSeconds: seconds({
      default: 43_200,
      min: 60,
      meaning: 'How long somebody stays signed in at these pages at most.',
    }),
    idleSeconds: seconds({ default: 3_600, min: 60, meaning: 'After so long without a request they sign in again.' }),
  },
  outbound: {
    deadlineMs: milliseconds({
      default: 10_000,
      min: 10,
      meaning: 'How long a call to another service may take in all.',
    }),
    responseBytesMax: bytes({ default: 16_777_216, min: 1_024, meaning: 'The largest answer that is read.' }),
  },
  database: {
    url: optionalText({
      secret: true,
      meaning:
        'Any PostgreSQL from version 15, `postgres://user:password@host/name`. Without it the embedded one is used. ' +
        '`?connect_timeout=10` behind it are the seconds that a connection is waited for, else 5.',
    }),
    poolMax: count({ default: 20, min: 4, max: 1_000, meaning: 'Connections to the database of one process at most.' }),
    statementTimeoutMs: milliseconds({ default: 30_000, min: 100, meaning: 'How long one statement may run.' }),
  },
  auth: authSection,
  fhir: fhirSection,
  bridge: bridgeSection,
  consent: consentSection,
  referral: referralSection,
  immunization: immunizationSection,
}

export type Configuration = ConfigurationOf<typeof configurationSchema>
export type LoadedConfiguration = Loaded<typeof configurationSchema>
