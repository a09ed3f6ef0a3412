import type { AuthSection } from './section.ts'

/** What the authorization server is told about itself and its world. */
export interface AuthSettings extends Omit<AuthSection, 'port' | 'url' | 'tls' | 'clients' | 'users' | 'keyDirectory'> {
  /** Its own public address, which is the `iss` of everything it signs. */
  readonly issuer: string
  /** The FHIR server that tokens are for: the `iss` of a launch and the `aud` of a request. */
  readonly fhirBase: string
  readonly mode: 'demo' | 'production'
  readonly isSecure: boolean
}

export function settingsOf(
  section: AuthSection,
  world: { readonly fhirBase: string; readonly mode: 'demo' | 'production' },
): AuthSettings {
  const { port: _port, url, tls: _tls, clients: _clients, users: _users, keyDirectory: _keys, ...rest } = section
  return { ...rest, ...world, issuer: url, isSecure: url.startsWith('https:') }
}

/** For how long after an identity token was made it can be held against its user's login. */
export const idTokenSeconds = 3600

/** How long a user may take to sign in, pick a patient and consent. */
export const interactionSeconds = 900
