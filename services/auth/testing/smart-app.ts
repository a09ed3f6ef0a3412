import { systemIds } from '../../../packages/clock/ids.ts'
import { challengeOf } from '../authorize/code-challenge.ts'
import type { TestAuth } from './test-auth.tsx'
import type { TestBrowser } from './test-browser.ts'

export const redirectUri = 'http://localhost:3000/callback'

/** A SMART app as a test plays it: what it sends is what a careful app would send, unless the test says otherwise. */
export class SmartApp {
  readonly auth: TestAuth
  readonly clientId: string
  readonly verifier = systemIds.secret(72)
  readonly state = systemIds.secret()

  constructor(auth: TestAuth, clientId = 'demo-app') {
    this.auth = auth
    this.clientId = clientId
  }

  /** The parameters of an authorization request; undefined takes one away. */
  parameters(changes: Readonly<Record<string, string | undefined>> = {}): URLSearchParams {
    const all = {
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: redirectUri,
      scope: 'openid fhirUser offline_access',
      state: this.state,
      aud: this.auth.fhirBase,
      code_challenge: challengeOf(this.verifier),
      code_challenge_method: 'S256',
      ...changes,
    }
    return new URLSearchParams(Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined))
  }

  authorize(browser: TestBrowser, changes: Readonly<Record<string, string | undefined>> = {}): Promise<Response> {
    return browser.get(`/oauth2/authorize?${this.parameters(changes)}`)
  }

  /** Signs in, authorizes and answers with the code. */
  async code(
    changes: Readonly<Record<string, string | undefined>> = {},
    browser = this.auth.browser(),
  ): Promise<string> {
    if (browser.cookies.size === 0) await browser.signIn()
    const answer = answerOf(await this.authorize(browser, changes))
    const code = answer.get('code')
    if (code === null) throw new Error(`no code came back: ${answer}`)
    return code
  }

  /** The same of a user who is asked for a patient first. */
  async codeFor(patientId: string, changes: Readonly<Record<string, string>>, browser: TestBrowser): Promise<string> {
    const request = answerOf(await this.authorize(browser, changes)).get('request') ?? ''
    const picked = await browser.post('/oauth2/authorize/patient', { request, patientId })
    const code = answerOf(await browser.follow(picked)).get('code')
    if (code === null) throw new Error('no code came back for the patient')
    return code
  }

  exchange(code: string, changes: Readonly<Record<string, string | undefined>> = {}, headers = {}): Promise<Response> {
    return this.token(
      {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        client_id: this.clientId,
        code_verifier: this.verifier,
        ...changes,
      },
      headers,
    )
  }

  token(fields: Readonly<Record<string, string | undefined>>, headers: Readonly<Record<string, string>> = {}) {
    const pairs = Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined)
    return fetch(`${this.auth.url}/oauth2/token`, { method: 'POST', body: new URLSearchParams(pairs), headers })
  }

  /** The whole way to tokens. */
  async tokens(changes: Readonly<Record<string, string | undefined>> = {}, browser = this.auth.browser()) {
    const response = await this.exchange(await this.code(changes, browser))
    return (await response.json()) as Tokens
  }

  refresh(refreshToken: string, changes: Readonly<Record<string, string | undefined>> = {}): Promise<Response> {
    const fields = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: this.clientId, ...changes }
    return this.token(fields)
  }

  /** What the server itself says about a token, asked by a service account. */
  async introspect(token: string): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.auth.url}/oauth2/introspect`, {
      method: 'POST',
      headers: { authorization: basic('svc-bridge', 'demo') },
      body: new URLSearchParams({ token }),
    })
    return (await response.json()) as Record<string, unknown>
  }

  async isActive(token: string): Promise<boolean> {
    return (await this.introspect(token))['active'] === true
  }
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly id_token: string
  readonly scope: string
  readonly expires_in: number
  readonly token_type: string
  readonly patient: string | null
  readonly encounter: string | null
  readonly need_patient_banner: boolean
  readonly smart_style_url: string
  readonly tenant?: string
}

/** What the app gets in the address that the browser is sent to. */
export function answerOf(response: Response): URLSearchParams {
  const to = response.headers.get('location')
  if (to === null) throw new Error(`not sent anywhere, but answered ${response.status}`)
  return new URL(to, 'http://auth').searchParams
}

export const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

/** A launch token of the portal, for the demo app unless said. */
export async function launchToken(browser: TestBrowser, wish: Readonly<Record<string, string>> = {}): Promise<string> {
  const response = await browser.post('/portal/launch', { patientId: 'amina-diallo', app: 'demo-app', ...wish })
  const token = answerOf(response).get('launch')
  if (token === null) throw new Error('no launch token came back')
  return token
}
