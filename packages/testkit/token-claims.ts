import type { Clock } from '../clock/clock.ts'
import type { Ids } from '../clock/ids.ts'
import type { Role } from '../tokens/caller.ts'
import type { TokenType } from '../tokens/signer.ts'

/** What the token should say. Everything has a value that makes a good token; a role brings its demo person along. */
export interface TokenWish {
  readonly role?: Role
  readonly roles?: readonly Role[]
  readonly subject?: string
  readonly clientId?: string
  readonly scope?: string
  readonly organisation?: string
  readonly patient?: string
  readonly encounter?: string
  readonly fhirUser?: string
  readonly audience?: string | readonly string[]
  readonly issuer?: string
  readonly tokenId?: string
  readonly grantId?: string
  /** Negative for a token that has expired. */
  readonly expiresInSeconds?: number
  readonly typ?: TokenType
  /** Claims as they are, over all of the above; undefined takes one away. */
  readonly claims?: Readonly<Record<string, unknown>>
}

interface ClaimDefaults {
  readonly clock: Clock
  readonly ids: Ids
  readonly issuer: string
  readonly audience: string | readonly string[]
}

/** The claims of a good token, but for what the wish says. */
export function claimsFor(wish: TokenWish, defaults: ClaimDefaults): Record<string, unknown> {
  const { clock, ids, issuer, audience } = defaults
  const issuedAt = Math.floor(clock.now().getTime() / 1_000)
  const { expiresInSeconds = 300, roles = wish.role === undefined ? [] : [wish.role] } = wish
  const person = people[roles[0] ?? 'CLINICIAN']
  return {
    iss: wish.issuer ?? issuer,
    aud: wish.audience ?? audience,
    sub: wish.subject ?? person.subject,
    client_id: wish.clientId ?? person.clientId,
    scope: wish.scope ?? person.scope,
    roles,
    organisation: wish.organisation ?? person.organisation,
    patient: wish.patient,
    encounter: wish.encounter,
    fhirUser: wish.fhirUser ?? person.fhirUser,
    jti: wish.tokenId ?? ids.uuid(),
    gid: wish.grantId,
    // An expired token was issued before it expired.
    iat: issuedAt + Math.min(0, expiresInSeconds - 300),
    exp: issuedAt + expiresInSeconds,
    ...wish.claims,
  }
}

interface Person {
  readonly subject: string
  readonly clientId: string
  readonly scope: string
  readonly organisation?: string
  readonly fhirUser?: string
}

/** The demo accounts, so that a token for a role is one that the demo would give. */
const people: Readonly<Record<Role, Person>> = {
  CLINICIAN: {
    subject: 'dr-amara',
    clientId: 'demo-app',
    scope: 'openid fhirUser user/*.cruds',
    organisation: 'Organization/central-hospital',
    fhirUser: 'Practitioner/dr-amara',
  },
  ADMIN: {
    subject: 'admin',
    clientId: 'demo-app',
    scope: 'openid fhirUser user/*.cruds',
    organisation: 'Organization/central-hospital',
    fhirUser: 'Practitioner/admin',
  },
  PATIENT: {
    subject: 'amina-diallo',
    clientId: 'demo-app',
    scope: 'openid fhirUser patient/*.rs',
    fhirUser: 'Patient/amina-diallo',
  },
  SYSTEM: { subject: 'client:svc-bridge', clientId: 'svc-bridge', scope: 'system/*.read system/*.write' },
}
