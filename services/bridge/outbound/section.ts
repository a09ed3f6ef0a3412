import { callableAddress, hostOrHostPort } from '../../../packages/config/forms.ts'
import { count, flag, milliseconds, optionalPath, optionalText, text, texts } from '../../../packages/config/key.ts'
import type { ConfigurationOf } from '../../../packages/config/schema.ts'

const isDemo = (read: (path: string) => unknown) => read('mode') === 'demo'

/** `bridge.outbound.…` */
export const outboundSection = {
  application: text({ default: 'CORRIDOR', meaning: 'How the bridge names itself in messages that it sends (MSH-3).' }),
  allowedHosts: texts({
    default: [],
    form: hostOrHostPort,
    meaning:
      'The hosts, or host:port, that endpoints of Subscriptions may name. Nothing else is called; in demo mode loopback may be.',
  }),
  attemptsMax: count({ default: 5, min: 1, max: 100, meaning: 'How often a delivery is tried before it is dead.' }),
  retryBaseMs: milliseconds({
    default: 1_000,
    min: 1,
    max: 3_600_000,
    meaning:
      'How long after the first failed attempt a delivery is tried again; each further wait is four times as long.',
  }),
  retryMaxMs: milliseconds({ default: 300_000, min: 1, max: 86_400_000, meaning: 'The longest such wait.' }),
  awayHours: count({
    default: 72,
    max: 720,
    meaning:
      'How long a delivery waits for a receiver to which no connection can be made before it is dead. No attempt is counted meanwhile.',
  }),
  concurrency: count({
    default: 32,
    min: 1,
    max: 256,
    meaning: 'Deliveries under way at once, a quarter of them to one receiver at most.',
  }),
  deadlineMs: milliseconds({
    default: 10_000,
    min: 100,
    max: 120_000,
    meaning: 'How long a receiver, the SMS gateway or the coordination service has to answer.',
  }),
  smsGatewayUrl: optionalText({
    form: callableAddress,
    meaning: 'Takes short messages as JSON and sends them on. Without one the embedded receiver takes them in a demo.',
  }),
  smsGatewayAuthorization: optionalText({ secret: true, meaning: 'The Authorization header for that gateway.' }),
  mllpCaFile: optionalPath({
    meaning: "The PEM file of who signed the certificates of mllps receivers; the system's authorities unless said.",
  }),
  mllpCertificateFile: optionalPath({
    meaning: 'The PEM file of the certificate that is shown to mllps receivers that ask for one.',
  }),
  mllpKeyFile: optionalPath({ meaning: 'The PEM file of the key of that certificate.' }),
  sink: flag({
    derive: isDemo,
    defaultText: 'true in demo mode, false in production',
    meaning: 'Whether embedded receivers take what the seeded subscriptions send.',
  }),
  retentionDays: count({
    default: 30,
    min: 1,
    max: 3_650,
    meaning:
      'How long the log of deliveries is kept that arrived or were left out. Those that are dead: bridge.retention.errorDays.',
  }),
}

export type OutboundSection = ConfigurationOf<typeof outboundSection>
