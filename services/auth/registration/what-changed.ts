import { isDeepStrictEqual } from 'node:util'
import type { Client, NewClient } from '../store/clients.ts'
import type { NewUser, User } from '../store/users.ts'

/** What a declaration did to an account, in the words of the audit trail: which fields, never what is in them. */
export function changesOfUser(before: User, user: NewUser, hasOtherCodes: boolean): readonly string[] {
  const changed = [
    ...(before.username === user.username.toLowerCase() ? [] : ['username']),
    ...differing(userWords, before, user),
    ...(hasOtherCodes ? ['one-time codes'] : []),
  ]
  return [...broughtBack('user', before), ...(changed.length === 0 ? [] : [`user changed: ${changed.join(', ')}`])]
}

/** The same for a client. */
export function changesOfClient(before: Client, client: NewClient): readonly string[] {
  const changed = differing(clientWords, before, client)
  return [...broughtBack('client', before), ...(changed.length === 0 ? [] : [`client changed: ${changed.join(', ')}`])]
}

/** Whether something that proved the client does so no longer: its secret, one of its keys, or the address of them. */
export function losesProof(before: Client, client: NewClient): boolean {
  const keys = client.jwks?.keys ?? []
  const isKept = (key: object) => keys.some((one) => isDeepStrictEqual(one, key))
  return (
    (before.secretHash !== null && before.secretHash !== client.secretHash) ||
    (before.jwksUri !== null && before.jwksUri !== client.jwksUri) ||
    before.jwks?.keys.every(isKept) === false
  )
}

/** Whoever is declared again is back, unless it was a command that disabled them. */
const broughtBack = (what: 'user' | 'client', before: Pick<User, 'status' | 'isDisabledByCommand'>): string[] =>
  before.status === 'disabled' && !before.isDisabledByCommand ? [`${what} enabled`] : []

const differing = <Key extends string>(
  words: Readonly<Record<Key, string>>,
  before: Readonly<Record<Key, unknown>>,
  now: Readonly<Record<Key, unknown>>,
): string[] =>
  // Sound: the words are objects of this file, with no more members than their type says.
  (Object.keys(words) as Key[]).filter((key) => !isDeepStrictEqual(before[key], now[key])).map((key) => words[key])

/** The name and the secret of the codes are not compared as they stand; an account never changes its source. */
const userWords: Readonly<Record<Exclude<keyof NewUser, 'username' | 'totpSecret' | 'source'>, string>> = {
  fhirUser: 'fhirUser',
  displayName: 'displayName',
  roles: 'roles',
  organisation: 'organisation',
  passwordHash: 'password',
}

const clientWords: Readonly<Record<Exclude<keyof NewClient, 'clientId' | 'source'>, string>> = {
  clientName: 'clientName',
  redirectUris: 'redirectUris',
  launchUri: 'launchUri',
  grantTypes: 'grantTypes',
  authMethods: 'authMethods',
  secretHash: 'secret',
  jwks: 'jwks',
  jwksUri: 'jwksUri',
  scope: 'scope',
  roles: 'roles',
  organisation: 'organisation',
  isFirstParty: 'isFirstParty',
  allowedOrigins: 'allowedOrigins',
  requiresConsent: 'requiresConsent',
  patientPicker: 'patientPicker',
  accessTokenSeconds: 'accessTokenSeconds',
  refreshTokenSeconds: 'refreshTokenSeconds',
  contacts: 'contacts',
  logoUri: 'logoUri',
  policyUri: 'policyUri',
  tosUri: 'tosUri',
}
