import type { Outbound } from '../http/outbound/outbound.ts'
import { unexpectedAnswer } from '../http/outbound/outbound-faults.ts'

/** What the token endpoint said. A refusal is its normal no; one that is away, or cannot serve now, is a fault. */
export type TokenAnswer = Granted | { readonly is: 'refused'; readonly error: string }

export interface Granted {
  readonly is: 'granted'
  readonly accessToken: string
  readonly expiresInSeconds: number
  readonly refreshToken: string | undefined
  readonly idToken: string | undefined
  readonly scope: string | undefined
  /** All that the answer says, for what only some servers add. */
  readonly members: ReadonlyMap<string, unknown>
}

type TokenRequest =
  | { readonly code: string; readonly codeVerifier: string; readonly redirectUri: string }
  | { readonly refreshToken: string }

export async function askForTokens(
  endpoint: string,
  clientId: string,
  request: TokenRequest,
  { outbound }: { readonly outbound: Pick<Outbound, 'send'> },
): Promise<TokenAnswer> {
  const response = await outbound.send({
    method: 'POST',
    url: endpoint,
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...fieldsOf(request), client_id: clientId }).toString(),
  })
  if (isAway(response.status)) throw unexpectedAnswer('authorization server', response.status)
  return answerOf(response.json())
}

/** RFC 7009: ends the grant of the refresh token. */
export async function giveBack(
  endpoint: string,
  clientId: string,
  refreshToken: string,
  { outbound }: { readonly outbound: Pick<Outbound, 'send'> },
): Promise<void> {
  const { status } = await outbound.send({
    method: 'POST',
    url: endpoint,
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      token: refreshToken,
      token_type_hint: 'refresh_token',
      client_id: clientId,
    }).toString(),
    deadlineMs: 3_000,
  })
  if (status !== 200) throw unexpectedAnswer('authorization server', status)
}

/** Such an answer is about the server and its load; of the code or the token it says nothing. */
const isAway = (status: number): boolean => status >= 500 || status === 429

function fieldsOf(request: TokenRequest): Record<string, string> {
  if ('refreshToken' in request) return { grant_type: 'refresh_token', refresh_token: request.refreshToken }
  const { code, codeVerifier, redirectUri } = request
  return { grant_type: 'authorization_code', code, code_verifier: codeVerifier, redirect_uri: redirectUri }
}

function answerOf(body: unknown): TokenAnswer {
  const members = new Map<string, unknown>(typeof body === 'object' && body !== null ? Object.entries(body) : [])
  const text = (name: string) => {
    const value = members.get(name)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const accessToken = text('access_token')
  if (accessToken === undefined) return { is: 'refused', error: text('error') ?? 'unknown' }
  const seconds = members.get('expires_in')
  return {
    is: 'granted',
    accessToken,
    // Without a word about its end, a short life is the safe guess.
    expiresInSeconds: typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? seconds : 300,
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    scope: text('scope'),
    members,
  }
}
