import { addressOrNetwork, type Form } from '../../../packages/config/forms.ts'
import {
  choice,
  count,
  flag,
  milliseconds,
  optionalPath,
  optionalText,
  port,
  text,
  texts,
} from '../../../packages/config/key.ts'
import type { ConfigurationOf } from '../../../packages/config/schema.ts'
import { charsetNamed } from '../../../packages/hl7/charset.ts'
import { ackModes, channelIds, type ChannelId } from '../pipeline/channel.ts'
import { knownZone } from './known-zone.ts'
import { messageTypesOf } from './message-types.ts'

const knownCharset: Form = {
  is: (names) => names.split('~').every((name) => charsetNamed(name) !== undefined),
  wrong: 'must be a character set of table 0211, such as 8859/1 or UNICODE UTF-8',
}

/** HL7 table 0103. */
const processingId: Form = { is: (id) => ['P', 'T', 'D'].includes(id), wrong: 'must be P, T or D' }

/** `bridge.channels.adt.…`: what can be set for one listener. */
const channelSection = (id: ChannelId) => {
  const types = messageTypesOf[id].join(', ')
  const number = channelIds.indexOf(id)
  return {
    enabled: flag({ default: true, meaning: `Whether ${types} messages are listened for.` }),
    port: port({
      derive: (read) => portAfter(Number(read('bridge.mllpPort')), number),
      defaultText: number === 0 ? 'bridge.mllpPort' : `bridge.mllpPort + ${number}`,
      meaning: `Where ${types} messages are taken.`,
    }),
    ackMode: choice({
      words: ackModes,
      default: 'original',
      meaning:
        'original: one answer when the message is through, or as MSH-15 and MSH-16 ask; enhanced: CA when it is journaled, then AA; immediate: AA when it is journaled, and no more, but for queries and master files, which want another answer.',
    }),
    charset: optionalText({
      form: knownCharset,
      meaning: 'The character set of messages that name none and are not UTF-8, as in table 0211 (8859/1, …).',
    }),
    forceCharset: flag({ default: false, meaning: 'Whether that set is used whatever MSH-18 says.' }),
    tls: {
      certificateFile: optionalPath({ meaning: 'Certificate chain in PEM; with it and the key only TLS is spoken.' }),
      keyFile: optionalPath({ meaning: 'Private key of the certificate in PEM.' }),
      clientCaFile: optionalPath({
        meaning: 'Who signs the certificates of senders, in PEM; then each must show one.',
      }),
    },
    maxConnections: count({ default: 64, min: 1, max: 10_000, meaning: 'Connections at most, on each address.' }),
    allowedSenders: texts({
      default: [],
      form: addressOrNetwork,
      meaning: 'Addresses and networks (10.1.0.0/16) that may connect; all if none.',
    }),
    senderCertificates: texts({
      default: [],
      meaning:
        'Whose messages a client certificate may bring, as name=CODE: its common name and MSH-4, once for each facility. Any if none.',
    }),
    allowProcessingIds: texts({
      form: processingId,
      derive: (read) => (read('mode') === 'demo' ? ['P', 'T', 'D'] : ['P']),
      defaultText: 'P, T, D in demo mode, P in production',
      meaning: 'Which MSH-11 are taken: production, training, debugging.',
    }),
    defaultFacility: optionalText({
      meaning:
        'The facility code that a message with an empty MSH-4 is read with; the registry must know it, as any other. bridge.facilityCode unless said; without either such a message is answered AE. It keeps no sender out.',
    }),
    timezone: text({
      derive: (read) => String(read('bridge.timezone')),
      defaultText: 'bridge.timezone',
      form: knownZone,
      meaning: 'The zone of times without offset, unless the registry knows the zone of the sender.',
    }),
    messagesPerMinute: count({ default: 0, max: 1_000_000, meaning: 'Messages a minute at most; 0 means no limit.' }),
    strict: flag({ default: false, meaning: 'Whether versions outside 2.1 to 2.9 are refused.' }),
    retry: {
      maxAttempts: count({
        default: 10,
        min: 1,
        max: 100,
        meaning:
          'How often a message is tried that the store does not take. Where it cannot be reached none of it counts.',
      }),
      baseMs: milliseconds({ default: 1_000, min: 1, max: 3_600_000, meaning: 'How long the first wait is.' }),
      maxMs: milliseconds({ default: 300_000, min: 1, max: 86_400_000, meaning: 'The longest wait.' }),
      multiplier: count({
        default: 2,
        min: 1,
        max: 10,
        meaning: 'By how much each wait is longer than the one before.',
      }),
    },
  }
}

/** With 0 every listener takes any free port. */
const portAfter = (first: number, number: number): number => (first === 0 ? 0 : first + number)

export const channelsSection = {
  adt: channelSection('adt'),
  oru: channelSection('oru'),
  orm: channelSection('orm'),
  mdm: channelSection('mdm'),
  qbp: channelSection('qbp'),
  rde: channelSection('rde'),
  siu: channelSection('siu'),
  mfn: channelSection('mfn'),
}

export type ChannelSection = ConfigurationOf<ReturnType<typeof channelSection>>
