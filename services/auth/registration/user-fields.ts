import { optionalPath, optionalText, text, texts } from '../../../packages/config/key.ts'
import type { RecordOf } from '../../../packages/config/records.ts'

/** A person as the configuration declares them. */
export const userFields = {
  username: text({ default: '', meaning: 'What they type to sign in.' }),
  displayName: optionalText({ meaning: 'How they are called on pages.' }),
  fhirUser: text({ default: '', meaning: 'Who they are in the FHIR store: Practitioner/<id> or Patient/<id>.' }),
  roles: texts({ default: [], meaning: 'CLINICIAN, ADMIN or PATIENT.' }),
  organisation: optionalText({ meaning: 'Where they work: Organization/<id>.' }),
  passwordHash: optionalText({ meaning: 'Their password as argon2id in the PHC form.' }),
  passwordFile: optionalPath({ meaning: 'A file with their password.' }),
  totpSecretFile: optionalPath({
    meaning: 'A file with the secret of their authenticator app: base32, 16 characters or more.',
  }),
}

export type DeclaredUser = RecordOf<typeof userFields>
