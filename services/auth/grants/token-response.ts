import { hash } from 'node:crypto'
import { Type, type Static } from 'typebox'
import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import { object, orNull } from '../../../packages/http/fields.ts'
import type { Signer } from '../../../packages/tokens/signer.ts'
import { styleDocument } from '../discovery/style-document.ts'
import { idTokenSeconds, type AuthSettings } from '../settings.ts'
import type { Client } from '../store/clients.ts'
import type { Grant } from '../store/grants.ts'
import type { User } from '../store/users.ts'

/** The answer of the token endpoint, for users and service accounts. */
export const TokenResponse = object({
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer(),
  scope: Type.String(),
  refresh_token: Type.Optional(Type.String()),
  patient: Type.Optional(orNull(Type.String())),
  encounter: Type.Optional(orNull(Type.String())),
  need_patient_banner: Type.Optional(Type.Boolean()),
  smart_style_url: Type.Optional(Type.String()),
  tenant: Type.Optional(Type.String()),
  id_token: Type.Optional(Type.String()),
})
export type TokenResponse = Static<typeof TokenResponse>

export interface UserTokens {
  readonly client: Client
  readonly user: User
  readonly grant: Grant
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

/** Signs what a user's app gets. The three signatures are made at the same time, off the main thread. */
export async function userTokenResponse(tokens: UserTokens, deps: TokenDeps): Promise<TokenResponse> {
  const { grant, user, client, scope } = tokens
  const { settings } = deps
  const expiresIn = client.accessTokenSeconds ?? settings.accessTokenSeconds
  const [{ accessToken, idToken }, refreshToken] = await Promise.all([
    accessAndIdToken(tokens, expiresIn, deps),
    signRefreshToken(tokens, deps),
  ])
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: expiresIn,
    scope,
    refresh_token: refreshToken,
    patient: grant.patient,
    encounter: grant.encounter,
    // The portal hands the whole window over, so whoever gets a patient must show whose record it is.
    need_patient_banner: grant.patient !== null,
    smart_style_url: styleDocument.addressUnder(settings.issuer),
    ...(user.organisation === null ? {} : { tenant: user.organisation.slice(user.organisation.indexOf('/') + 1) }),
    ...(idToken === undefined ? {} : { id_token: idToken }),
  }
}

async function accessAndIdToken(tokens: UserTokens, expiresIn: number, deps: TokenDeps) {
  const { user, client, grant, scope } = tokens
  const accessToken = await signAccessToken(
    {
      client,
      subject: user.subject,
      scope,
      roles: user.roles,
      expiresIn,
      patient: grant.patient,
      encounter: grant.encounter,
      fhirUser: user.fhirUser,
      organisation: user.organisation,
      grantId: grant.id,
    },
    deps,
  )
  const wantsIdToken = scope.split(' ').includes('openid')
  return { accessToken, idToken: wantsIdToken ? await signIdToken(tokens, accessToken, deps) : undefined }
}

export interface AccessClaims {
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
      ...withoutNulls({
        patient: claims.patient,
        encounter: claims.encounter,
        fhirUser: claims.fhirUser,
        organisation: claims.organisation,
        gid: claims.grantId,
      }),
    },
  })
}

function signRefreshToken({ user, client, grant, refresh }: UserTokens, { settings, signer, clock }: TokenDeps) {
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

function signIdToken({ user, client, grant, scope, nonce }: UserTokens, accessToken: string, deps: TokenDeps) {
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
      ...withoutNulls({ nonce }),
      ...identityClaims(user, scope, settings),
    },
  })
}

/** Who the user is, as far as the scopes let the app know. */
export function identityClaims(user: User, scope: string, { fhirBase }: AuthSettings): Record<string, string> {
  const words = scope.split(' ')
  const isKnown = words.includes('fhirUser') || words.includes('profile')
  return {
    ...(isKnown ? { fhirUser: `${fhirBase}/${user.fhirUser}`, name: user.displayName } : {}),
    ...(words.includes('profile') ? { preferred_username: user.username } : {}),
  }
}

function withoutNulls(claims: Readonly<Record<string, string | null | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(claims).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  )
}
