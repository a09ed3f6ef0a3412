import type { IncomingRequest } from '../../../packages/http/request.ts'
import { audit, whence } from '../audit/audit.ts'
import type { AuthDeps } from '../deps.ts'
import type { Client } from '../store/clients.ts'
import { signAccessToken } from './sign-tokens.ts'
import type { TokenResponse } from './token-response.ts'

/** A token for the client itself: no user, no launch context, no refresh token. */
export async function clientCredentials(
  wantedScope: string | undefined,
  client: Client,
  request: IncomingRequest,
  deps: AuthDeps,
): Promise<TokenResponse> {
  const scope = deps.serviceScopes.granted(wantedScope, client)
  const expiresIn = client.accessTokenSeconds ?? deps.settings.serviceTokenSeconds
  const { clientId, roles, organisation, ownGrantId: grantId } = client
  const [accessToken] = await Promise.all([
    signAccessToken({ client, subject: serviceSubject(client), scope, roles, expiresIn, organisation, grantId }, deps),
    audit({ event: 'token issued', clientId, ...whence(request) }, deps),
  ])
  return { access_token: accessToken, token_type: 'Bearer', expires_in: expiresIn, scope }
}

/** No FHIR id has a colon, so a service account can never be taken for a person (RFC 9700 section 4.15). */
export const serviceSubject = ({ clientId }: Pick<Client, 'clientId'>): string => `client:${clientId}`
