import { systemIds } from '../../../packages/clock/ids.ts'
import { challengeOf } from '../../../services/auth/authorize/code-challenge.ts'
import { redirectUri, type Tokens } from '../../../services/auth/testing/smart-app.ts'
import { AppVisitor } from '../../../services/immunization/testing/app-visitor.ts'
import { fullDraft } from '../../../services/referral/testing/referral-api.ts'
import { insist, type Insisted } from './insist.ts'
import type { TestCorridor } from '../../../packages/testkit/run-corridor.ts'

/**
 * A clinician with a browser and two apps. A page that broke off is loaded again; a login is broken when they are asked
 * for their password again, or refused anything that they may do.
 */
export class Person {
  readonly #platform: Pick<TestCorridor, 'url'>
  #visitor: AppVisitor
  #rounds = 0
  /** Codes that died with their copy, so that the app had to ask for another. */
  codesAgain = 0
  /** Launches and sign-ins that had to be begun again, without a password. */
  begunAgain = 0
  signIns = 0
  refreshes = 0
  readonly referrals: number[] = []

  constructor(platform: Pick<TestCorridor, 'url'>) {
    this.#platform = platform
    this.#visitor = new AppVisitor(platform)
  }

  async round(): Promise<void> {
    if (this.#rounds++ % 5 === 0) await this.#signIn()
    let tokens = await this.#authorize()
    await this.#readPatient(tokens)
    await this.#refer(tokens)
    for (let turn = 0; turn < 3; turn++) {
      tokens = await this.#refresh(tokens)
      await this.#readPatient(tokens)
    }
    await this.#page(`${this.#platform.url('immunization')}/dashboard`)
    await this.#page(`${this.#platform.url('immunization')}/api/certificate/qr`)
    await this.#page(`${this.#platform.url('consent')}/`)
  }

  /** A new browser: login and a launch from the portal, then the pages of a service. */
  async #signIn(): Promise<void> {
    this.#visitor = new AppVisitor(this.#platform)
    const launched = await insist(async () => this.#unlessToBegin(await this.#visitor.launch()))
    demand('the launch', launched, 200)
    const open = async () => this.#visitor.follow(await this.#visitor.get(this.#consentSignIn))
    const opened = await insist(async () => this.#unlessToBegin(await open()))
    demand('the sign-in at the pages', opened, 200)
    this.signIns++
  }

  /**
   * A launch or sign-in whose last step died with its copy ends on a page that says: begin again. So they do. A balancer
   * that gives such a step to the other copy finds the launch spent by the one that died: it can be used only once.
   */
  async #unlessToBegin(response: Response): Promise<Response> {
    const isStart = response.status === 200 && new URL(response.url).pathname === '/launch'
    const text = response.status === 200 ? '' : await response.clone().text()
    const isOver = [400, 401].includes(response.status) && text.includes('Begin again')
    const isSpent = response.status === 401 && text.includes('launch token not found, expired or already used')
    if (!isStart && !isOver && !isSpent) return response
    this.begunAgain++
    throw new Error(`to begin again at ${response.url}`)
  }

  get #consentSignIn(): string {
    return `${this.#platform.url('consent')}/sign-in?to=/`
  }

  /** The code comes from one copy and goes to the other: the round robin sees to that. */
  async #authorize(): Promise<Tokens> {
    for (;;) {
      const verifier = systemIds.secret(72)
      const query = new URLSearchParams({
        ...{ response_type: 'code', client_id: 'demo-app', redirect_uri: redirectUri, state: systemIds.secret() },
        ...{ scope: 'openid fhirUser offline_access user/Patient.rs', aud: this.#platform.url('fhir') },
        ...{ code_challenge: challengeOf(verifier), code_challenge_method: 'S256' },
      })
      const sent = await insist(() => this.#visitor.get(`${this.#platform.url('auth')}/oauth2/authorize?${query}`))
      const to = new URL(sent.headers.get('location') ?? 'http://nowhere', this.#platform.url('auth'))
      const code = to.searchParams.get('code')
      if (code === null) throw new Error(`no code, but ${sent.status} to ${to.pathname}`)
      const fields = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
      const exchanged = await this.#token(fields)
      if (exchanged.status === 200) return JSON.parse(exchanged.text) as Tokens
      // It was spent by the copy that died before it could answer; a careful app asks for another.
      if (!exchanged.wasUnsure) demand('the code exchange', exchanged, 200)
      this.codesAgain++
    }
  }

  async #refresh({ refresh_token }: Tokens): Promise<Tokens> {
    const swapped = await this.#token({ grant_type: 'refresh_token', refresh_token })
    demand('the refresh', swapped, 200)
    this.refreshes++
    return JSON.parse(swapped.text) as Tokens
  }

  #token(fields: Readonly<Record<string, string>>): Promise<Insisted> {
    const body = new URLSearchParams({ ...fields, client_id: 'demo-app' })
    return insist(() => fetch(`${this.#platform.url('auth')}/oauth2/token`, { method: 'POST', body }))
  }

  async #readPatient({ access_token: token }: Tokens): Promise<void> {
    const headers = { authorization: `Bearer ${token}` }
    const read = await insist(() => fetch(`${this.#platform.url('fhir')}/Patient/amina-diallo`, { headers }))
    demand('the read of a patient', read, 200)
  }

  /** A draft and its sending. A sending that broke off may have been done: then it says so. */
  async #refer({ access_token: token }: Tokens): Promise<void> {
    const url = `${this.#platform.url('referral')}/api/referrals`
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify(fullDraft)
    const drafted = await insist(() => fetch(url, { method: 'POST', headers, body }))
    demand('the draft of a referral', drafted, 201)
    const { id } = JSON.parse(drafted.text) as { id: number }
    const sent = await insist(() => fetch(`${url}/${id}/send`, { method: 'POST', headers, body: '{}' }))
    if (!(sent.wasUnsure && sent.text.includes('INVALID_TRANSITION'))) demand('the sending of a referral', sent, 200)
    this.referrals.push(id)
  }

  async #page(address: string): Promise<void> {
    demand(`the page ${new URL(address).pathname}`, await insist(() => this.#visitor.get(address)), 200)
  }
}

function demand(what: string, { status, headers, text, wasUnsure }: Insisted, wanted: number): void {
  if (status === wanted) return
  const to = headers.get('location') ?? ''
  throw new Error(`${what}: ${status} ${to} ${text.slice(0, 200)}${wasUnsure ? ' (after it broke off)' : ''}`)
}
