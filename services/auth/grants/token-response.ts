import { Type, type Static } from 'typebox'
import { object, orNull } from '../../../packages/http/fields.ts'
import { launchContext } from './launch-context.ts'
import { signAccessToken, signIdToken, signRefreshToken, type TokenDeps, type UserTokens } from './sign-tokens.ts'

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
  id_token: Type.Optional(Type.String()),
  smart_style_url: Type.Optional(Type.String()),
  tenant: Type.Optional(Type.String()),
})
export type TokenResponse = Static<typeof TokenResponse>

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
    ...(idToken === undefined ? {} : { id_token: idToken }),
    ...launchContext({ patient: grant.patient, organisation: user.organisation }, settings),
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
