import { incorrect, unauthenticated, unreachable } from '../../../packages/faults/fault.ts'
import { formType } from '../../../packages/http/body.ts'
import { object, text } from '../../../packages/http/fields.ts'
import { headerOf, type IncomingRequest } from '../../../packages/http/request.ts'
import { routeFor } from '../../../packages/http/route.ts'
import { anyone } from '../../../packages/http/who.ts'
import type { AuthDeps } from '../deps.ts'
import {
  authenticateClient,
  basicCredentials,
  type ClientFields,
  type Unproven,
} from '../grants/authenticate-client.ts'
import { exchangeCode } from '../grants/authorization-code.ts'
import { clientCredentials } from '../grants/client-credentials.ts'
import { refreshTokens } from '../grants/refresh-token.ts'
import { TokenResponse } from '../grants/token-response.ts'
import { grantTypes, type Client, type GrantType } from '../store/clients.ts'
import { limitRequests } from './limit-requests.ts'
import { oauthErrors } from './oauth-errors.ts'

const route = routeFor<AuthDeps>()

const field = (max: number) => text({ max, optional: true })

/** Longer than any of ours may be: the specification has a word for a client, a code or a verifier that does not fit. */
export const clientFormFields = {
  client_id: field(2_048),
  client_secret: field(1_024),
  client_assertion: field(8_192),
  client_assertion_type: field(200),
}

const TokenRequest = object({
  ...clientFormFields,
  grant_type: field(200),
  code: field(8_192),
  redirect_uri: field(2_048),
  code_verifier: field(8_192),
  refresh_token: field(8_192),
  scope: field(8_192),
})

type TokenFields = ClientFields & {
  readonly grant_type?: string
  readonly code?: string
  readonly redirect_uri?: string
  readonly code_verifier?: string
  readonly refresh_token?: string
  readonly scope?: string
}

export const token = route({
  method: 'POST',
  path: '/oauth2/token',
  who: anyone,
  summary: 'Exchanges a code, a refresh token or client credentials for tokens',
  tags: ['SMART', 'Tokens'],
  accepts: [formType],
  limits: { bodyBytesMax: 65_536 },
  input: { body: TokenRequest },
  output: { 200: TokenResponse },
  errors: oauthErrors,
  isForPrograms: true,
  cors: (origin, { origins }) => origins.includes(origin),
  run: ({ body, request }, deps) =>
    limitRequests(body, request, deps, () => tokensFor(withoutEmpty(body), request, deps)),
})

async function tokensFor(fields: TokenFields, request: IncomingRequest, deps: AuthDeps): Promise<TokenResponse> {
  const refresh = refreshClaims(fields, deps)
  const isOfNobody =
    fields.grant_type === 'refresh_token' && fields.refresh_token !== undefined && refresh === undefined
  if (isOfNobody && !namesItself(request, fields)) throw notOurs()
  // Decision 0890: a refresh token of a confidential client that comes without proof is 401. Else the specification's 400
  // stands, unless there is a header: by RFC 6749 section 5.2 that is an attempt to prove oneself, whatever it holds.
  const isAttempt = fields.grant_type === 'refresh_token' || hasHeader(request)
  const client = await clientFor(fields, refresh?.clientId, request, deps, isAttempt ? unauthenticated : incorrect)
  const grantType = grantTypeOf(fields, client)
  switch (grantType) {
    case 'authorization_code':
      return exchangeCode(fields, client, request, deps)
    case 'client_credentials':
      return clientCredentials(fields.scope, client, request, deps)
    case 'refresh_token': {
      if (fields.refresh_token === undefined) throw incorrect('refresh_token is required.', { code: 'invalid_request' })
      if (refresh === undefined) throw notOurs()
      return refreshTokens({ tokenId: refresh.tokenId, scope: fields.scope }, client, request, deps)
    }
    default:
      return unreachable(grantType)
  }
}

const notOurs = () => incorrect('The refresh token is not one of ours.', { code: 'invalid_grant' })

const refreshClaims = ({ grant_type: grantType, refresh_token: given }: TokenFields, deps: AuthDeps) =>
  grantType !== 'refresh_token' || given === undefined ? undefined : deps.readRefreshToken(given)

export const namesItself = (request: IncomingRequest, { client_id: id, client_assertion: assertion }: ClientFields) =>
  basicCredentials(request) !== undefined || id !== undefined || assertion !== undefined

/** fhirclient refreshes without naming itself: the refresh token says whose it is, as the form would. */
export async function clientFor(
  fields: ClientFields,
  clientOfToken: string | undefined,
  request: IncomingRequest,
  deps: AuthDeps,
  unproven: Unproven = unauthenticated,
): Promise<Client> {
  const owner = { client_id: clientOfToken }
  const named = await authenticateClient(request, fields, deps, unproven)
  const client = named ?? (await authenticateClient(request, owner, deps, unproven))
  if (client !== undefined) return client
  if (hasHeader(request)) throw unauthenticated('The header names no client.', { code: 'invalid_client' })
  throw incorrect('client_id is required.', { code: 'invalid_request' })
}

const hasHeader = (request: IncomingRequest): boolean => headerOf(request, 'authorization') !== undefined

function grantTypeOf({ grant_type: wanted }: TokenFields, client: Client): GrantType {
  if (wanted === undefined) throw incorrect('grant_type is required.', { code: 'invalid_request' })
  const known = grantTypes.find((type) => type === wanted)
  if (known === undefined) {
    throw incorrect(`grant_type must be ${grantTypes.join(', ')}.`, { code: 'unsupported_grant_type' })
  }
  if (client.grantTypes.includes(known)) return known
  throw incorrect(`This client may not use ${known}.`, { code: 'unauthorized_client' })
}

/** RFC 6749 section 3.2: a parameter without a value counts as left out. */
export function withoutEmpty<Fields extends object>(fields: Fields): Fields {
  if (!Object.values(fields).includes('')) return fields
  // Sound: every field is optional, so leaving some out keeps the type.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) as Fields
}
