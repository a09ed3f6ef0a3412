import { callableAddress, timeZone } from '../../packages/config/forms.ts'
import { count, flag, optionalText, seconds, text, texts } from '../../packages/config/key.ts'
import type { ConfigurationOf } from '../../packages/config/schema.ts'
import { httpSection } from '../../packages/service/http-section.ts'
import { optionalSeries } from './forecast/schedule.ts'

const hour = 3_600

export const immunizationSection = {
  ...httpSection('immunization', 'immunization app', 8084),
  issuers: texts({
    form: callableAddress,
    derive: (read) => [String(read('fhir.url'))],
    defaultText: '<fhir.url>',
    meaning:
      'The FHIR servers that may launch the app, by their base addresses; the first is where it launches by itself.',
  }),
  authorizationServers: texts({
    form: callableAddress,
    derive: (read) => [String(read('auth.url'))],
    defaultText: '<auth.url>',
    meaning: 'The authorization servers that those FHIR servers may name; nothing else is called with a code.',
  }),
  clientId: text({
    default: 'immunization-app',
    meaning: 'The client id under which the app is registered; a public client.',
  }),
  sessionIdleSeconds: seconds({
    default: 1_800,
    min: 120,
    max: 24 * hour,
    meaning: 'A session ends after this time without a request.',
  }),
  sessionSeconds: seconds({
    default: 8 * hour,
    min: 300,
    max: 24 * hour,
    meaning: 'How long a session lasts at most, however often its token is refreshed.',
  }),
  certificateIssuer: text({
    default: 'CORRIDOR',
    form: { is: (code) => /^[A-Z0-9]{2,8}$/.test(code), wrong: 'must be 2 to 8 capital letters and digits' },
    meaning: 'The issuer code inside certificate ids: 2 to 8 capital letters and digits.',
  }),
  certificateCountry: text({
    default: 'UTO',
    form: { is: (code) => /^[A-Z]{3}$/.test(code), wrong: 'must be three capital letters' },
    meaning: 'Who issues signed certificates: the three letters of ISO 3166-1; UTO (Utopia) is nobody.',
  }),
  certificateKeySecret: optionalText({
    secret: true,
    meaning:
      'Seals the private keys of certificates in the database; without it they lie there as they are. In production 32 characters or more. Back it up: without it they sign no more.',
  }),
  certificateKeyDays: count({
    default: 365,
    min: 7,
    max: 3_650,
    meaning:
      'After so many days the next key signs certificates; it is published a day before, and the old ones stay published.',
  }),
  writeForecast: flag({
    default: true,
    meaning:
      'Whether the app asks to write its own forecast, marked as calculated, for patients who have none in the store.',
  }),
  programme: texts({
    default: [],
    form: {
      is: (word) => optionalSeries.some((series) => series === word),
      wrong: `must be one of ${optionalSeries.join(', ')}`,
    },
    meaning: `What the vaccination programme gives to everybody beside the routine schedule, and the forecast asks for: some of ${optionalSeries.join(', ')}. Without it they are forecast for who has had one.`,
  }),
  timeZone: text({
    default: 'UTC',
    form: timeZone,
    meaning: 'The zone whose calendar day is today when something is due or overdue, such as Africa/Nairobi.',
  }),
}

export type ImmunizationSection = ConfigurationOf<typeof immunizationSection>
