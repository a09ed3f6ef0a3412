import { address, path, seconds, text } from '../../packages/config/key.ts'
import { httpSection } from '../../packages/service/http-section.ts'

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
}
