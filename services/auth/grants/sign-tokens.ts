import { hash } from 'node:crypto'
import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import type { Signer } from '../../../packages/tokens/signer.ts'
import { idTokenSeconds, type AuthSettings } from '../settings.ts'
import type { Client } from '../store/clients.ts'
import type { GrantInToken, UserInToken } from '../store/grant-and-user.ts'

export interface UserTokens {
  readonly client: Client
  readonly user: UserInToken
  readonly grant: GrantInToken
  /** What this access token is for; at a refresh it may be less than was granted. */
  readonly scope: string
  readonly nonce: string | null
  readonly refresh: { readonly tokenId: string; readonly expiresAt: Date }
}

export interface TokenDeps {
  readonly settings: AuthSettings
  readonly signer: Signer
  readonly clock: Clock
  readonly ids: Ids
}

interface AccessClaims {
  readonly client: Client
  readonly subject: string
  readonly scope: string
  readonly roles: readonly string[]
  readonly expiresIn: number
  readonly patient?: string | null
  readonly encounter?: string | null
  readonly fhirUser?: string
  readonly organisation: string | null
  readonly grantId?: string
}

/** An access token after RFC 9068. Third-party apps do not get the platform's audience, so they open no API of ours. */
export function signAccessToken(claims: AccessClaims, { settings, signer, clock, ids }: TokenDeps): Promise<string> {
  const issuedAt = Math.floor(clock.now().getTime() / 1_000)
  const { client } = claims
  return signer.sign({
    typ: 'at+jwt',
    claims: {
      iss: settings.issuer,
      sub: claims.subject,
      aud: client.isFirstParty ? [settings.fhirBase, settings.platformAudience] : [settings.fhirBase],
      exp: issuedAt + claims.expiresIn,
      iat: issuedAt,
      jti: ids.uuid(),
      client_id: client.clientId,
      scope: claims.scope,
      roles: claims.roles,
      // What is undefined is left out of the JSON.
      patient: claims.patient ?? undefined,
      encounter: claims.encounter ?? undefined,
      fhirUser: claims.fhirUser,
      organisation: claims.organisation ?? undefined,
      gid: claims.grantId,
    },
  })
}

/** A refresh token opens nothing but the token endpoint: its type and audience are its own. */
export function signRefreshToken({ user, client, grant, refresh }: UserTokens, { settings, signer, clock }: TokenDeps) {
  return signer.sign({
    typ: 'rt+jwt',
    claims: {
      iss: settings.issuer,
      aud: settings.issuer,
      sub: user.subject,
      client_id: client.clientId,
      jti: refresh.tokenId,
      gid: grant.id,
      iat: Math.floor(clock.now().getTime() / 1_000),
      exp: Math.floor(refresh.expiresAt.getTime() / 1_000),
    },
  })
}

/** An identity token after OpenID Connect Core section 2. */
export function signIdToken({ user, client, grant, scope, nonce }: UserTokens, accessToken: string, deps: TokenDeps) {
  const { settings, signer, clock } = deps
  const issuedAt = Math.floor(clock.now().getTime() / 1_000)
  return signer.sign({
    typ: 'JWT',
    claims: {
      iss: settings.issuer,
      sub: user.subject,
      aud: client.clientId,
      exp: issuedAt + idTokenSeconds,
      iat: issuedAt,
      auth_time: Math.floor(grant.signedInAt.getTime() / 1_000),
      at_hash: hash('sha256', accessToken, 'buffer').subarray(0, 16).toString('base64url'),
      nonce: nonce ?? undefined,
      ...identityClaims(user, scope, settings),
    },
  })
}

/** Who the user is, as far as the scopes let the app know. */
export function identityClaims(user: UserInToken, scope: string, { fhirBase }: AuthSettings): Record<string, string> {
  const words = scope.split(' ')
  const isKnown = words.includes('fhirUser') || words.includes('profile')
  return {
    ...(isKnown ? { fhirUser: `${fhirBase}/${user.fhirUser}`, name: user.displayName } : {}),
    ...(words.includes('profile') ? { preferred_username: user.username } : {}),
  }
}
