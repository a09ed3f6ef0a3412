import {
  bytes,
  choice,
  count,
  flag,
  milliseconds,
  optionalChoice,
  optionalText,
  port,
  seconds,
  text,
  texts,
} from '../../packages/config/key.ts'
import { nameBase } from '../../packages/config/forms.ts'
import type { ConfigurationOf } from '../../packages/config/schema.ts'
import { httpSection } from '../../packages/service/http-section.ts'
import { coordinationSection } from './coordination/section.ts'
import { auditSection } from './audit/section.ts'
import { knownZone } from './listeners/known-zone.ts'
import { channelsSection } from './listeners/section.ts'
import { channelIds } from './pipeline/channel.ts'
import { outboundSection } from './outbound/section.ts'

export const bridgeSection = {
  ...httpSection('bridge', 'integration bridge', 8443),
  mllpPort: port({
    default: 2575,
    max: 65_535 - (channelIds.length - 1),
    meaning: 'The first of the eight MLLP ports; the others follow it.',
  }),
  mllpHosts: texts({
    derive: (read) => (Array.isArray(read('listen.hosts')) ? (read('listen.hosts') as string[]) : []),
    defaultText: 'listen.hosts',
    meaning: 'The addresses that the MLLP listeners bind.',
  }),
  facilityCode: optionalText({
    meaning:
      'The code of the facility that this bridge is. It stands in MSH-4 of the messages that the bridge sends, and in the tag ' +
      'by which a resource that it sent on is known when it comes back; CORRIDOR unless this is set. A message with an empty MSH-4 ' +
      'is taken for one of this facility where its channel has no defaultFacility. It keeps no sender out.',
  }),
  timezone: text({
    default: 'UTC',
    form: knownZone,
    meaning: 'The zone of times without offset, such as Africa/Nairobi.',
  }),
  base: text({
    derive: (read) => String(read('bridge.url')),
    defaultText: 'bridge.url',
    form: nameBase,
    meaning: 'Under which address identifier systems, extensions and tags of our own are made. Never change it later.',
  }),
  clientId: text({
    default: 'svc-bridge',
    meaning: 'The service account with which the bridge reads and writes the FHIR store and asks for consent.',
  }),
  clientSecret: text({
    derive: (read) => (read('mode') === 'demo' ? 'demo' : ''),
    defaultText: 'demo in demo mode, none in production',
    secret: true,
    meaning: 'The secret of that service account; needed where the other services run in other processes.',
  }),
  consent: {
    enabled: flag({ default: true, meaning: 'Whether consent is asked for before anything is written.' }),
    failClosed: flag({
      default: true,
      meaning:
        'Whether a message is refused when the consent service cannot be asked. Off means that its silence is taken for a yes: for development only.',
    }),
    timeoutMs: milliseconds({
      default: 3_000,
      min: 100,
      max: 20_000,
      meaning: 'How long the consent service may take.',
    }),
    refusedAck: choice({
      words: ['AR', 'AE'],
      default: 'AR',
      meaning: 'What a sender is answered whose patient has not consented; many engines resend after AE only.',
    }),
  },
  otherPersonRefused: flag({
    default: false,
    meaning:
      'Whether a message is refused (OTHER_PERSON) under the number of a patient whose name, birth date and sex are all others in the ' +
      'record. Off, it is taken for theirs, with the warning other-person: turn it on where senders give numbers again.',
  }),
  registry: {
    autoProvision: flag({
      derive: (read) => read('mode') === 'demo',
      defaultText: 'true in demo mode, false in production',
      meaning:
        'Whether an unknown sending facility is registered on first sight; in demo mode with a policy that lets it write, in production without.',
    }),
    cacheSeconds: seconds({ default: 300, max: 86_400, meaning: 'How long a resolved facility is remembered.' }),
    cacheWhileAwaySeconds: seconds({
      default: 86_400,
      max: 604_800,
      meaning:
        'How long it is remembered while the registry cannot be asked; 0 means no longer than otherwise. An answer of the registry always counts.',
    }),
  },
  terminology: {
    required: flag({
      default: false,
      meaning:
        'Whether a message is refused when the terminology service cannot be asked; else its codes stay as sent.',
    }),
  },
  mapping: {
    realm: optionalChoice({
      words: ['US'],
      meaning: 'US: race, ethnicity and social security number as US Core has them.',
    }),
    visitNumber: optionalChoice({
      words: ['PID-18'],
      meaning: 'PID-18: the field that holds the visit number where PV1-19 is empty.',
    }),
    nationalIdSystem: optionalText({
      meaning:
        'The system of the national id, when patients are found by it first. For a new installation: it joins no records that are there already.',
    }),
    provenance: flag({ default: true, meaning: 'Whether each message leaves a Provenance.' }),
  },
  channels: channelsSection,
  answerWithinMs: milliseconds({
    default: 30_000,
    min: 1_000,
    max: 120_000,
    meaning: 'Within which time every message is answered, if only with AE.',
  }),
  frameBytesMax: bytes({
    default: 16_777_216,
    min: 1_024,
    max: 268_435_456,
    meaning: 'The largest message; a larger one is answered with AR and its connection closed.',
  }),
  frameTimeoutMs: milliseconds({
    default: 60_000,
    min: 1_000,
    max: 3_600_000,
    meaning:
      'Within which time a frame that has begun must have come whole, or its connection is closed; each 256 KiB of it that have come give as much time again.',
  }),
  idleTimeoutMs: milliseconds({
    default: 3_600_000,
    min: 1_000,
    meaning: 'After so long without a message a connection is closed.',
  }),
  underWayMax: count({
    default: 2_000,
    min: 1,
    max: 100_000,
    meaning: 'Messages at work at once; the next ones wait.',
  }),
  retryConcurrency: count({ default: 128, min: 1, max: 1_000, meaning: 'Parked messages that are tried at once.' }),
  retryQueueDepthMax: count({
    default: 10_000,
    meaning: 'With more parked messages than this, `/actuator/health` says DOWN; they are kept all the same.',
  }),
  leaseMs: milliseconds({
    default: 10_000,
    min: 1_000,
    max: 120_000,
    meaning: 'After so long without a sign of life another copy takes over the work of this one.',
  }),
  dedupe: {
    windowHours: count({
      default: 24,
      min: 1,
      max: 720,
      meaning: 'For how long a control id is remembered; at most as long as messages are (bridge.retention).',
    }),
  },
  breaker: {
    consecutiveFailures: count({
      default: 5,
      min: 1,
      max: 1_000,
      meaning: 'So many failures in a row open a circuit.',
    }),
    openMs: milliseconds({
      default: 30_000,
      min: 10,
      max: 3_600_000,
      meaning: 'How long a circuit stays open before it is tried; doubled whenever the trial fails.',
    }),
    openMsMax: milliseconds({ default: 300_000, min: 10, max: 86_400_000, meaning: 'The longest such time.' }),
    trialCalls: count({ default: 3, min: 1, max: 100, meaning: 'So many calls must go well before it closes.' }),
  },
  retention: {
    rawDays: count({
      default: 30,
      min: 1,
      max: 3_650,
      meaning:
        'How long the bytes of messages and answers are kept; no longer than the log, no shorter than control ids.',
    }),
    metaDays: count({
      default: 365,
      min: 1,
      max: 36_500,
      meaning:
        'How long the transaction log is kept, no shorter than the bytes; what coordination said of its messages, and codes without a counterpart ' +
        'that nobody sends or maps.',
    }),
    errorDays: count({
      default: 730,
      min: 1,
      max: 36_500,
      meaning:
        'How long failed messages are kept, with their bytes, and deliveries that nobody took; failed messages as long as all others where those are kept longer.',
    }),
  },
  audit: auditSection,
  outbound: outboundSection,
  coordination: coordinationSection,
}

export type BridgeSection = ConfigurationOf<typeof bridgeSection>
