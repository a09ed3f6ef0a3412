import { readFile } from 'node:fs/promises'
import { incorrect } from '../../../packages/faults/fault.ts'
import type { Sealer } from '../../../packages/keys/sealer.ts'
import { roles as knownRoles } from '../../../packages/tokens/caller.ts'
import { demoPasswordHash } from '../secrets/demo-hashes.ts'
import {
  isCheapHash,
  isPasswordHash,
  passwordCost,
  type PasswordCost,
  type PasswordHasher,
} from '../secrets/password.ts'
import { readTotpSecret } from '../secrets/totp.ts'
import { subjectOf, type NewUser, type Source, type User } from '../store/users.ts'
import { isOrganisation } from './client-rules.ts'
import type { DeclaredUser } from './user-fields.ts'

interface PersonWords {
  readonly username: string
  readonly fhirUser: string
  readonly roles: readonly string[]
  readonly organisation?: string | undefined
}

/** What must hold for anyone who can sign in, in sentences that say what to do. */
function userFaults({ username, fhirUser, roles, organisation }: PersonWords): string[] {
  const strange = roles.filter((role) => role === 'SYSTEM' || !knownRoles.some((known) => known === role))
  return [
    ...(/^[^\s\u0000-\u001f]{1,64}$/.test(username) ? [] : ['username must be 1 to 64 characters without spaces']),
    ...(/^(Practitioner|Patient|RelatedPerson|Person)\/[A-Za-z0-9.-]{1,64}$/.test(fhirUser)
      ? []
      : ['fhirUser must be Practitioner/<id>, Patient/<id>, RelatedPerson/<id> or Person/<id>']),
    ...(roles.length > 0 && strange.length === 0 ? [] : ['roles must be some of CLINICIAN, ADMIN, PATIENT']),
    ...(organisation === undefined || isOrganisation(organisation) ? [] : ['organisation must be Organization/<id>']),
  ]
}

interface DeclaredUserDeps {
  readonly known: User | undefined
  readonly passwords: PasswordHasher
  readonly sealer: Sealer
  readonly mode: 'demo' | 'production'
}

/** A declared person as the register keeps them. A password that did not change keeps its hash. */
export async function registeredUser(declared: DeclaredUser, source: Source, deps: DeclaredUserDeps): Promise<NewUser> {
  const { password, totpSecret } = await checkedUser(declared, deps.mode, deps.passwords.cost)
  const { sealer } = deps
  return {
    username: declared.username,
    displayName: declared.displayName ?? declared.username,
    fhirUser: declared.fhirUser,
    // Sound: userFaults refuses every word that is no role.
    roles: declared.roles as NewUser['roles'],
    organisation: declared.organisation ?? null,
    passwordHash: 'hash' in password ? password.hash : await hashOf(password.text, deps),
    totpSecret: totpSecret === null ? null : await sealer.seal(totpSecret, declared.username.toLowerCase()),
    source,
  }
}

interface CheckedUser {
  readonly password: { readonly hash: string } | { readonly text: string }
  readonly totpSecret: string | null
}

/** What a declared person signs in with. Whatever is wrong with them is thrown, and nothing is hashed or sealed. */
export async function checkedUser(
  declared: DeclaredUser,
  mode: 'demo' | 'production',
  cost: PasswordCost = passwordCost,
): Promise<CheckedUser> {
  const wrong = userFaults(declared)
  if (wrong.length > 0) throw refused(declared.username, wrong.join('; '))
  return { password: await declaredPassword(declared, mode, cost), totpSecret: await declaredTotp(declared) }
}

async function declaredPassword(
  { username, passwordHash, passwordFile }: DeclaredUser,
  mode: 'demo' | 'production',
  cost: PasswordCost,
): Promise<CheckedUser['password']> {
  if (passwordFile !== undefined) {
    const text = (await readSecret(passwordFile)).trimEnd()
    checkPassword(text, username, mode)
    return { text }
  }
  if (passwordHash === undefined) throw refused(username, 'passwordHash or passwordFile is needed')
  if (!isPasswordHash(passwordHash))
    throw refused(
      username,
      'passwordHash must be argon2id in the PHC form, with one lane, one pass or more and 1 GiB or less',
    )
  if (mode === 'production' && passwordHash === demoPasswordHash) {
    throw refused(username, "passwordHash is the demo's, whose password everybody knows; give them one of their own")
  }
  if (mode === 'production' && isCheapHash(passwordHash, cost)) {
    throw refused(username, 'passwordHash is cheap to guess at; make another with `corridor users hash-password`')
  }
  return { hash: passwordHash }
}

async function hashOf(password: string, { known, passwords }: DeclaredUserDeps): Promise<string> {
  const isSame = known !== undefined && (await passwords.verify(password, known.passwordHash))
  return isSame ? known.passwordHash : passwords.hash(password)
}

async function declaredTotp({ username, totpSecretFile }: DeclaredUser): Promise<string | null> {
  if (totpSecretFile === undefined) return null
  const secret = readTotpSecret(await readSecret(totpSecretFile))
  if (secret === undefined) throw refused(username, 'totpSecretFile must hold base32, 16 characters or more')
  return secret
}

export function checkPassword(password: string, username: string, mode: 'demo' | 'production'): void {
  const wrong = passwordFault(password, mode)
  if (wrong !== undefined) throw refused(username, wrong)
}

/** NIST SP 800-63B: length is what counts. */
export function passwordFault(password: string, mode: 'demo' | 'production'): string | undefined {
  const min = mode === 'production' ? 12 : 1
  if (password.length < min) return `the password must have at least ${min} characters`
  return password.length > 1024 ? 'the password must have at most 1024 characters' : undefined
}

async function readSecret(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw incorrect(`The file ${file} cannot be read. Check the path and its permissions.`, {
      code: 'REGISTRATION_REFUSED',
      cause: error,
    })
  })
}

/** The `sub` of tokens is the id of the person alone, so two accounts may never be of one person. */
export function refuseSecondAccount(
  { username, fhirUser }: Pick<User, 'username' | 'fhirUser'>,
  known: readonly User[],
): void {
  const subject = subjectOf(fhirUser)
  const other = known.find((user) => user.subject === subject && user.username !== username.toLowerCase())
  if (other === undefined) return
  const way = other.status === 'disabled' ? ', which is disabled: bring that one back' : '; a person has one account'
  throw refused(username, `${other.fhirUser} has the account ${other.username} already${way}`)
}

const refused = (username: string, why: string) =>
  incorrect(`The user ${username} cannot be registered: ${why}.`, { code: 'REGISTRATION_REFUSED' })
