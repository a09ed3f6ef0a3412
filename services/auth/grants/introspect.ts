import { decodeJwt } from 'jose'
import { Fault, unauthenticated } from '../../../packages/faults/fault.ts'
import { headerOf, type IncomingRequest } from '../../../packages/http/request.ts'
import { coverAll } from '../../../packages/smart/contains.ts'
import { parseScopes } from '../../../packages/smart/parse.ts'
import { readBearer } from '../../../packages/tokens/bearer.ts'
import type { AuthDeps } from '../deps.ts'
import { digestOf } from '../secrets/digest.ts'
import { refreshTokenState } from '../store/refresh-tokens.ts'
import { authenticateClient, type ClientFields } from './authenticate-client.ts'
import { serviceSubject } from './client-credentials.ts'
import { launchContext } from './launch-context.ts'

/** Whose tokens a caller may ask about. */
interface Asker {
  readonly clientId: string
  readonly mayAskAboutAll: boolean
}

/**
 * RFC 7662 with SMART's rules: a confidential client may ask about its own tokens; a service account that the platform
 * trusts about everybody's (decision 0986), whether it comes with its secret or with a token of its own.
 */
export async function askerOf(request: IncomingRequest, fields: ClientFields, deps: AuthDeps): Promise<Asker> {
  const bearer = readBearer([headerOf(request, 'authorization') ?? ''])
  if (bearer.is === 'token') {
    const { clientId, subject, roles, scope } = await deps.accessTokens.verify(bearer.token)
    // A token that a person gave to an app carries that person's roles: the app is none the more trusted for it.
    const isOwn = subject === serviceSubject({ clientId })
    return { clientId, mayAskAboutAll: isOwn && isTrusted([...roles], scope) }
  }
  const client = await authenticateClient(request, fields, deps)
  if (client === undefined || client.authMethods.includes('none')) {
    throw unauthenticated('Introspection needs the proof of a confidential client, or a bearer token.', {
      code: 'invalid_client',
    })
  }
  return { clientId: client.clientId, mayAskAboutAll: isTrusted(client.roles, client.scope) }
}

/** Who may read every record, or works for the platform, learns nothing from a token that they could not know. */
const isTrusted = (roles: readonly string[], scope: string): boolean =>
  roles.includes('SYSTEM') || roles.includes('ADMIN') || coverAll(parseScopes(scope), readsEverything)

const readsEverything = parseScopes('system/*.rs')

interface Introspection {
  readonly active: boolean
  readonly [claim: string]: unknown
}

/** About anything that is not alive, or not the asker's business, there is nothing more to say than that. */
export async function introspect(token: string, asker: Asker, deps: AuthDeps): Promise<Introspection> {
  const found = (await aliveAccessToken(token, deps)) ?? (await aliveRefreshToken(token, deps))
  if (found === undefined) return { active: false }
  return asker.mayAskAboutAll || found['client_id'] === asker.clientId ? { active: true, ...found } : { active: false }
}

type Claims = Readonly<Record<string, unknown>>

async function aliveAccessToken(
  token: string,
  { accessTokens, settings, clock }: AuthDeps,
): Promise<Claims | undefined> {
  try {
    const { fhirUser, expiresAt } = await accessTokens.verify(token)
    // Whoever verifies one elsewhere allows for another clock than ours. Here it is ours: past its `exp` it is over.
    if (expiresAt <= clock.now()) return undefined
    const claims = decodeJwt(token)
    if (fhirUser === undefined) return { ...claims, token_type: 'Bearer' }
    // SMART App Launch 2.2, token introspection: what the token response said of the launch is said here, too.
    const { patient, organisation } = claims
    const context = launchContext({ patient, organisation }, settings)
    return { ...claims, ...context, fhirUser: `${settings.fhirBase}/${fhirUser}`, token_type: 'Bearer' }
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.kind === 'unauthenticated') return undefined
    throw thrown
  }
}

async function aliveRefreshToken(token: string, deps: AuthDeps): Promise<Claims | undefined> {
  const refresh = deps.readRefreshToken(token)
  if (refresh === undefined) return undefined
  const state = await refreshTokenState(digestOf(refresh.tokenId), deps.clock.now(), deps.database)
  if (state?.isAlive !== true) return undefined
  // Its id is what is stored about it, hashed, as a secret: it is not given away.
  const { jti: _secret, ...claims } = decodeJwt(token)
  return { ...claims, token_type: 'refresh_token' }
}
