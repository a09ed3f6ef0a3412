import { optionalPath, optionalText, text, texts } from '../../../packages/config/key.ts'
import type { RecordOf } from '../../../packages/config/records.ts'

/** A person as the configuration declares them. */
export const userFields = {
  username: text({ default: '', meaning: 'What they type to sign in: 1 to 64 characters without spaces.' }),
  displayName: optionalText({ meaning: 'How they are called on pages; by their username unless said.' }),
  fhirUser: text({
    default: '',
    meaning:
      'Who they are in the FHIR store: Practitioner/<id>, Patient/<id>, RelatedPerson/<id> or Person/<id>. Nobody has two accounts.',
  }),
  roles: texts({ default: [], meaning: 'Some of CLINICIAN, ADMIN, PATIENT.' }),
  organisation: optionalText({ meaning: 'Where they work: Organization/<id>.' }),
  passwordHash: optionalText({
    meaning:
      'Their password as argon2id in the PHC form, as `corridor users hash-password` prints it. It or passwordFile is needed.',
  }),
  passwordFile: optionalPath({ meaning: 'A file with their password: 12 characters or more in production.' }),
  totpSecretFile: optionalPath({
    meaning: 'A file with the secret of their authenticator app: base32, 16 characters or more.',
  }),
}

export type DeclaredUser = RecordOf<typeof userFields>
