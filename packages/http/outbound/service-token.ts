import type { Clock } from '../../clock/clock.ts'
import { unavailable } from '../../faults/fault.ts'
import type { Outbound } from './outbound.ts'
import type { OutboundResponse } from './outbound-response.ts'

interface ServiceTokenOptions {
  /** The token endpoint of the authorization server. */
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** What to ask for; all that the client is registered for unless said. */
  readonly scope?: string
  readonly outbound: Pick<Outbound, 'send'>
  readonly clock: Clock
}

interface HeldToken {
  readonly token: string
  readonly goodUntilMs: number
}

/** A token that is renewed: a ServiceToken is one. */
export interface TokenSource {
  token(): Promise<string>
  /** The server refused it before its time. */
  forget(refused: string): void
}

/** A token that is refused may be an old one: it is replaced once. */
export async function sendWithToken(
  source: TokenSource,
  send: (token: string) => Promise<OutboundResponse>,
): Promise<OutboundResponse> {
  const token = await source.token()
  const response = await send(token)
  if (response.status !== 401) return response
  source.forget(token)
  return send(await source.token())
}

/** The access token of a service account (client_credentials), kept until shortly before its end. */
export class ServiceToken implements TokenSource {
  readonly #options: ServiceTokenOptions
  #held: HeldToken | undefined
  #asking: Promise<HeldToken> | undefined

  constructor(options: ServiceTokenOptions) {
    this.#options = options
  }

  /** However many ask at once, the authorization server is asked once. */
  async token(): Promise<string> {
    if (this.#held !== undefined && this.#options.clock.monotonicMs() < this.#held.goodUntilMs) return this.#held.token
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined))
    this.#held = await this.#asking
    return this.#held.token
  }

  /** The service refused this token before its time: its key was withdrawn, say. */
  forget(refused: string): void {
    if (this.#held?.token === refused) this.#held = undefined
  }

  async #ask(): Promise<HeldToken> {
    const { tokenUrl, clientId, clientSecret, scope, outbound, clock } = this.#options
    const askedMs = clock.monotonicMs()
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) })
    const response = await outbound.send({
      method: 'POST',
      url: tokenUrl,
      headers: {
        accept: 'application/json',
        authorization: basic(clientId, clientSecret),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: form.toString(),
    })
    const answer = response.status === 200 ? response.json() : undefined
    const { access_token: token, expires_in: lifetimeSeconds } = Object(answer) as Record<string, unknown>
    if (typeof token !== 'string' || typeof lifetimeSeconds !== 'number') {
      throw unavailable('The authorization server gave no access token.', {
        code: 'BAD_GATEWAY',
        logged: `status ${response.status}`,
      })
    }
    return { token, goodUntilMs: askedMs + (lifetimeSeconds - marginSeconds(lifetimeSeconds)) * 1_000 }
  }
}

/** A token that is sent must still be good when it arrives. */
const marginSeconds = (lifetimeSeconds: number) => Math.min(30, lifetimeSeconds / 4)

/** RFC 6749 section 2.3.1: both are form-encoded before they are put together. */
function basic(clientId: string, clientSecret: string): string {
  const encoded = (text: string) => new URLSearchParams({ text }).toString().slice('text='.length)
  return `Basic ${Buffer.from(`${encoded(clientId)}:${encoded(clientSecret)}`).toString('base64')}`
}
