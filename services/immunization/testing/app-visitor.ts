import type { TestCorridor } from '../../../packages/testkit/test-corridor.ts'

/** What a browser does with cookies, forms and redirects between the portal and the app, one hop at a time. */
export class AppVisitor {
  readonly #corridor: Pick<TestCorridor, 'url'>
  /** One jar: ports of a host share their cookies. */
  readonly cookies = new Map<string, string>()

  constructor(corridor: Pick<TestCorridor, 'url'>) {
    this.#corridor = corridor
  }

  get app(): string {
    return this.#corridor.url('immunization')
  }

  /** A page or a call of the app; nothing is followed. */
  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.#send(new URL(path, this.app), { headers: { accept: 'text/html', ...headers } })
  }

  async json<T>(path: string): Promise<T> {
    const response = await this.get(path, { accept: 'application/json' })
    return (await response.json()) as T
  }

  post(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const form = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
    const init = { method: 'POST', body: '', headers: { ...form, 'sec-fetch-site': 'same-origin', ...headers } }
    return this.#send(new URL(path, this.app), init)
  }

  /** Signs in at the portal. */
  async signIn(username = 'clinician'): Promise<void> {
    await this.#form('/login', { username, password: 'demo' })
  }

  /** Signs out at the portal, and nowhere else. */
  async signOut(): Promise<void> {
    await this.#form('/logout', {})
  }

  /** Where the portal sends the browser for a patient. */
  async launchAddress(patientId: string): Promise<URL> {
    const response = await this.#form('/portal/launch', { patientId, app: 'immunization-app' })
    return new URL(response.headers.get('location') ?? '')
  }

  /** The whole way from the portal to the dashboard. */
  async launch(patientId = 'amina-diallo', username = 'clinician'): Promise<Response> {
    if (this.cookies.size === 0) await this.signIn(username)
    return this.follow(await this.#send(await this.launchAddress(patientId), { headers: { accept: 'text/html' } }))
  }

  /** Goes on until an answer leads nowhere, or stops at the address that the test wants to look at. */
  async follow(response: Response, stopAt?: (address: URL) => boolean): Promise<Response> {
    const to = response.headers.get('location')
    if (to === null) return response
    const target = new URL(to, response.url)
    if (stopAt?.(target) === true) return response
    return this.follow(await this.#send(target, { headers: { accept: 'text/html' } }), stopAt)
  }

  #form(path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
    return this.#send(new URL(path, this.#corridor.url('auth')), {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin' },
    })
  }

  async #send(address: URL, init: RequestInit): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(init.headers as Record<string, string>), ...(cookie === '' ? {} : { cookie }) }
    const response = await fetch(address, { ...init, headers, redirect: 'manual' })
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';', 1)
      const equals = pair.indexOf('=')
      if (/max-age=0/i.test(set)) this.cookies.delete(pair.slice(0, equals))
      else this.cookies.set(pair.slice(0, equals), pair.slice(equals + 1))
    }
    return response
  }
}
