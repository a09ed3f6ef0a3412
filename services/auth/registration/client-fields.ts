import { choice, count, flag, optionalPath, optionalText, text, texts } from '../../../packages/config/key.ts'
import type { RecordOf } from '../../../packages/config/records.ts'

/** A client as the configuration declares it; the names are those of RFC 7591 in the configuration's spelling. */
export const clientFields = {
  clientId: text({
    default: '',
    meaning: 'How the client names itself: letters, digits, dots, dashes and underscores, 100 at most.',
  }),
  clientName: optionalText({ meaning: 'What users see; its clientId unless said.' }),
  redirectUris: texts({
    default: [],
    meaning: 'Where users are sent back to, compared letter by letter. Needed for authorization_code.',
  }),
  launchUri: optionalText({ meaning: 'Where the portal launches it.' }),
  grantTypes: texts({
    default: ['authorization_code', 'refresh_token'],
    meaning: 'What it may ask for: some of authorization_code, refresh_token, client_credentials.',
  }),
  authMethods: texts({
    default: ['none'],
    meaning:
      'How it proves itself at the token endpoint: some of none, client_secret_basic, client_secret_post, private_key_jwt.',
  }),
  clientSecretHash: optionalText({
    meaning: 'Its secret as `sha256:<base64url>`, as `corridor clients add` and `corridor clients secret` print it.',
  }),
  clientSecretFile: optionalPath({
    meaning: 'A file with its secret, 32 characters or more in production; it counts where both are given.',
  }),
  jwks: optionalText({ meaning: 'Its public keys, a JWKS as JSON text.' }),
  jwksUri: optionalText({ meaning: 'Where its public keys are.' }),
  scope: text({
    default: 'openid fhirUser profile launch launch/patient launch/encounter offline_access online_access patient/*.rs',
    meaning: 'The most that it is granted.',
  }),
  roles: texts({
    default: [],
    meaning: 'Roles of its own tokens (service accounts): some of CLINICIAN, ADMIN, PATIENT, SYSTEM.',
  }),
  organisation: optionalText({ meaning: 'Whose service account it is: Organization/<id>.' }),
  isFirstParty: flag({ default: false, meaning: 'Whether its tokens open the consent, referral and bridge APIs.' }),
  allowedOrigins: texts({ default: [], meaning: 'Origins of its pages, beside those of its redirect addresses.' }),
  requiresConsent: flag({ default: false, meaning: 'Whether the user is asked for each scope.' }),
  patientPicker: choice({ words: ['auto', 'never'], default: 'auto', meaning: 'As auth.patientPicker, for it alone.' }),
  accessTokenSeconds: count({ default: 0, max: 3600, meaning: 'Its access tokens live this long; 0 as all others.' }),
  refreshTokenSeconds: count({
    default: 0,
    max: 90 * 86_400,
    meaning: 'Its grants live this long; 0 as all others.',
  }),
  contacts: texts({ default: [], meaning: 'Who answers for it.' }),
  logoUri: optionalText({ meaning: 'Its picture.' }),
  policyUri: optionalText({ meaning: 'Its privacy statement.' }),
  tosUri: optionalText({ meaning: 'Its terms.' }),
}

export type DeclaredClient = RecordOf<typeof clientFields>
