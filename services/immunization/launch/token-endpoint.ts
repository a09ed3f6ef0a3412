import type { Outbound } from '../../../packages/http/outbound.ts'
import type { Issuer } from './issuer-directory.ts'

/** What the token endpoint said. A refusal is its normal no; an endpoint that does not answer is a fault. */
export type TokenAnswer = Granted | { readonly is: 'refused'; readonly error: string }

export interface Granted {
  readonly is: 'granted'
  readonly accessToken: string
  readonly expiresInSeconds: number
  readonly refreshToken: string | undefined
  readonly idToken: string | undefined
  readonly scope: string | undefined
  readonly patient: string | undefined
  readonly needPatientBanner: boolean
}

export type TokenRequest =
  | { readonly code: string; readonly codeVerifier: string; readonly redirectUri: string }
  | { readonly refreshToken: string }

export async function askForTokens(
  { tokenEndpoint }: Pick<Issuer, 'tokenEndpoint'>,
  clientId: string,
  request: TokenRequest,
  { outbound }: { readonly outbound: Pick<Outbound, 'send'> },
): Promise<TokenAnswer> {
  const form = new URLSearchParams({ ...fieldsOf(request), client_id: clientId })
  const response = await outbound.send({
    method: 'POST',
    url: tokenEndpoint,
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  })
  return answerOf(response.json())
}

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
  return {
    is: 'granted',
    accessToken,
    expiresInSeconds: secondsOf(members.get('expires_in')),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    scope: text('scope'),
    patient: patientIdOf(text('patient')),
    // Unless the portal says that it shows whose record this is, we do.
    needPatientBanner: members.get('need_patient_banner') !== false,
  }
}

/** SMART wants it named; without it a short life is the safe guess. */
const secondsOf = (given: unknown): number =>
  typeof given === 'number' && Number.isFinite(given) && given > 0 ? given : 300

/** A FHIR id becomes part of addresses: nothing else is taken for one. */
const patientIdOf = (given: string | undefined): string | undefined =>
  given !== undefined && /^[A-Za-z0-9.-]{1,64}$/.test(given) ? given : undefined
