import type { TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import type { TokenWish } from '../../../packages/testkit/tokens.ts'

interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: AnsweredBody
}

/** Whatever an answer of the service may hold that tests look into. */
interface AnsweredBody extends Readonly<Record<string, unknown>> {
  readonly id: number
  readonly detail: string
  readonly reason: string
  readonly permitted: boolean
  readonly errors: readonly { readonly path: string; readonly message: string }[]
  readonly content: readonly AnsweredBody[]
}

export interface Call {
  readonly as?: TokenWish | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The body as it is, and not as JSON. */
  readonly raw?: string
}

/** Calls of a test to the consent service of its Corridor, each as somebody. */
export class ConsentClient {
  readonly #corridor: TestCorridor
  readonly #bearers = new Map<string, Promise<string>>()

  constructor(corridor: TestCorridor) {
    this.#corridor = corridor
  }

  async call(method: string, path: string, { as, body, headers, raw }: Call = {}): Promise<Answered> {
    const json = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(`${this.#corridor.url('consent')}/api/consent${path}`, {
      method,
      headers: {
        ...(as === undefined ? {} : { authorization: await this.#bearer(as) }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: json }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      // Sound enough for a test, whose expectations say what must be there.
      body: JSON.parse(text === '' ? '{}' : text) as AnsweredBody,
    }
  }

  get = (path: string, as?: TokenWish) => this.call('GET', path, { as })
  post = (path: string, as?: TokenWish, body?: unknown) => this.call('POST', path, { as, body })
  put = (path: string, as: TokenWish, body: unknown, headers: Record<string, string> = {}) =>
    this.call('PUT', path, { as, body, headers })

  evaluate(question: Readonly<Record<string, string | readonly string[]>>, as: TokenWish | undefined = system) {
    const query = new URLSearchParams()
    for (const [name, values] of Object.entries(question)) {
      for (const value of [values].flat()) query.append(name, value)
    }
    return this.call('POST', `/evaluate?${query.toString()}`, { as })
  }

  #bearer(as: TokenWish): Promise<string> {
    const key = JSON.stringify(as)
    const bearer = this.#bearers.get(key) ?? this.#corridor.bearerFor(as)
    this.#bearers.set(key, bearer)
    return bearer
  }
}

export const system: TokenWish = { role: 'SYSTEM' }
export const admin: TokenWish = { role: 'ADMIN' }
export const clinician: TokenWish = { role: 'CLINICIAN' }
/** Of another organisation. */
export const stranger: TokenWish = {
  role: 'CLINICIAN',
  subject: 'dr-baraka',
  organisation: 'Organization/lakeside-clinic',
}
export const patient: TokenWish = { role: 'PATIENT' }
