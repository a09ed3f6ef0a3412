/** What a browser does with cookies, forms and redirects, one hop at a time. */
export class TestBrowser {
  readonly #url: string
  readonly cookies = new Map<string, string>()

  constructor(url: string) {
    this.#url = url
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.#send(path, { headers: { accept: 'text/html', ...headers } })
  }

  /** A form of our own page: same origin. */
  post(
    path: string,
    fields: Readonly<Record<string, string>> | readonly (readonly [string, string])[],
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const pairs = Array.isArray(fields) ? fields : Object.entries(fields)
    return this.#send(path, {
      method: 'POST',
      body: new URLSearchParams(pairs.map(([name, value]) => [name, value])),
      headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin', ...headers },
    })
  }

  signIn(username = 'clinician', password = 'demo', more: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.post('/login', { username, password, ...more })
  }

  /** Goes on from an answer as long as it leads to this server; answers with where it ends. */
  async follow(response: Response): Promise<Response> {
    const to = response.headers.get('location')
    if (to === null) return response
    const target = new URL(to, this.#url)
    return target.origin === this.#url ? this.follow(await this.get(target.pathname + target.search)) : response
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(init.headers as Record<string, string>), ...(cookie === '' ? {} : { cookie }) }
    const response = await fetch(this.#url + path, { ...init, headers, redirect: 'manual' })
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';', 1)
      const equals = pair.indexOf('=')
      if (/max-age=0/i.test(set)) this.cookies.delete(pair.slice(0, equals))
      else this.cookies.set(pair.slice(0, equals), pair.slice(equals + 1))
    }
    return response
  }
}
