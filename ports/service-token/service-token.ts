import type { Clock } from '../../packages/clock/clock.ts'
import { unavailable } from '../../packages/faults/fault.ts'
import type { Outbound } from '../../packages/http/outbound.ts'

export interface ServiceTokenOptions {
  /** The authorization server's address. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly outbound: Pick<Outbound, 'send'>
  readonly clock: Clock
}

/** The access token with which a service calls other services. */
export type ServiceToken = () => Promise<string>

/** Asks for a new one a little before the old one ends, so that none expires on its way. */
const renewBeforeMs = 30_000

/** A token by client_credentials, kept until it is about to expire. Callers who come together share one request. */
export function serviceToken(options: ServiceTokenOptions): ServiceToken {
  let held: { readonly token: string; readonly untilMs: number } | undefined
  let asking: Promise<string> | undefined
  return async () => {
    if (held !== undefined && options.clock.monotonicMs() < held.untilMs) return held.token
    asking ??= (async () => {
      const { token, lifeMs } = await requestToken(options)
      held = { token, untilMs: options.clock.monotonicMs() + Math.max(0, lifeMs - renewBeforeMs) }
      return token
    })().finally(() => (asking = undefined))
    return asking
  }
}

async function requestToken({ issuer, clientId, clientSecret, outbound }: ServiceTokenOptions) {
  const response = await outbound.send({
    method: 'POST',
    url: `${issuer}/oauth2/token`,
    headers: {
      accept: 'application/json',
      authorization: `Basic ${basicCredentials(clientId, clientSecret)}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  })
  if (response.status !== 200) throw noToken(`status ${response.status}`)
  const answer = response.json()
  if (!isTokenAnswer(answer)) throw noToken('no access_token in the answer')
  return { token: answer.access_token, lifeMs: answer.expires_in * 1_000 }
}

/** RFC 6749 section 2.3.1: both parts are form-encoded first. */
const basicCredentials = (id: string, secret: string) =>
  Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')

function isTokenAnswer(answer: unknown): answer is { access_token: string; expires_in: number } {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'access_token' in answer &&
    typeof answer.access_token === 'string' &&
    'expires_in' in answer &&
    typeof answer.expires_in === 'number'
  )
}

const noToken = (logged: string) =>
  unavailable('The authorization server gave no access token.', { code: 'BAD_GATEWAY', logged })
