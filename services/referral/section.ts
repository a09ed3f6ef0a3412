import { callableAddress, type Form } from '../../packages/config/forms.ts'
import { choice, flag, optionalText, seconds, text } from '../../packages/config/key.ts'
import { records } from '../../packages/config/records.ts'
import type { ConfigurationOf } from '../../packages/config/schema.ts'
import { httpSection } from '../../packages/service/http-section.ts'
import { partyRules } from './party-rules.ts'

const minute = 60
const hour = 3_600
const limitMax = 90 * 24 * hour

const within = (priority: string, byDefault: number) =>
  seconds({
    default: byDefault,
    min: 1,
    max: limitMax,
    meaning: `How long a facility has to accept or reject a referral of priority ${priority} before it is flagged.`,
  })

const organisation: Form = {
  is: (reference) => /^Organization\/[A-Za-z0-9.-]{1,64}$/.test(reference),
  wrong: 'must be Organization/<id>',
}

export const referralSection = {
  ...httpSection('referral', 'referral service', 8083),
  partyRules: choice({
    words: partyRules,
    default: 'parties',
    meaning:
      'Who may act on a referral when the token names an organisation: parties (either facility), strict (each step belongs to one of them) or off (the role alone).',
  }),
  acceptWithin: {
    statSeconds: within('STAT', 15 * minute),
    asapSeconds: within('ASAP', 4 * hour),
    urgentSeconds: within('URGENT', 24 * hour),
    routineSeconds: within('ROUTINE', 72 * hour),
  },
  clientId: text({
    default: 'svc-referral',
    meaning: 'The service account with which consent is asked for and FHIR resources are written.',
  }),
  clientSecret: text({
    derive: (read) => (read('mode') === 'demo' ? 'demo' : ''),
    defaultText: 'demo in demo mode, none in production',
    secret: true,
    meaning: 'The secret of that service account. Without it no referral that shares data can be sent.',
  }),
  fhirProjection: flag({
    default: true,
    meaning: 'Whether referrals are also written to the FHIR server as ServiceRequest, Task and AuditEvent.',
  }),
  facilities: records({
    meaning: 'The facilities that are told of referrals, and how.',
    fields: {
      clientId: text({ default: '', meaning: 'The client id by which referrals name the facility.' }),
      organisation: optionalText({
        form: organisation,
        meaning: 'Its organisation; Organization/<clientId> unless said.',
      }),
      webhookUrl: optionalText({ form: callableAddress, meaning: 'Where it takes signed notifications.' }),
      webhookSecret: optionalText({ meaning: 'What they are signed with.', secret: true }),
      email: optionalText({ meaning: 'Where it takes e-mail.' }),
      phone: optionalText({ meaning: 'Where it takes short messages.' }),
    },
    needed: ['clientId'],
    secret: true,
  }),
  smsGatewayUrl: optionalText({
    form: callableAddress,
    meaning: 'Takes short messages as JSON and sends them on; none are sent without it.',
  }),
  smsGatewayAuthorization: optionalText({ secret: true, meaning: 'The Authorization header for that gateway.' }),
  emailGatewayUrl: optionalText({
    form: callableAddress,
    meaning: 'Takes e-mail as JSON and sends it on; none is sent without it.',
  }),
  emailGatewayAuthorization: optionalText({ secret: true, meaning: 'The Authorization header for that gateway.' }),
}

export type ReferralSection = ConfigurationOf<typeof referralSection>
