import type { Clock } from '../../../packages/clock/clock.ts'
import { parseJson } from '../../../packages/fhir/parse-json.ts'
import type { Bundle, Resource } from '../../../packages/fhir/r4.ts'
import type { Outbound } from '../../../packages/http/outbound.ts'
import type { OutboundResponse } from '../../../packages/http/outbound-response.ts'
import type { CallOptions, SearchParameters } from '../fhir-store.ts'
import { queryOf } from '../query-of.ts'
import { broken, expectBundle, expectStored } from '../read-resource.ts'
import { faultOfStatus } from './fault-of-status.ts'

export interface HttpFhirStoreOptions {
  /** The base address, such as `http://localhost:8080/fhir`. */
  readonly base: string
  readonly outbound: Pick<Outbound, 'send'>
  /**
   * Whose rights the calls have: nothing for a server that asks for none, a function for a fixed token or that of the
   * caller who is served, a ServiceToken for the client credentials of a service account.
   */
  readonly token?: (() => Promise<string>) | TokenSource
  /** The outbound client's own unless said. */
  readonly deadlineMs?: number
  /** Says when what the server can do is asked for again. */
  readonly clock?: Clock
}

interface TokenSource {
  token(): Promise<string>
  /** The server refused this token before its time. */
  forget(refused: string): void
}

interface StoreRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly resource?: object
  /** In place of a resource: the parameters of a search. */
  readonly form?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface StoreAnswer {
  /** The JSON of the answer; undefined where there is none. */
  readonly resource: unknown
  /** It was created by this call. */
  readonly isNew: boolean
  readonly location: string | undefined
}

/** Requests to a FHIR server, whose refusals become faults. */
export class StoreCalls {
  readonly #options: HttpFhirStoreOptions

  constructor(options: HttpFhirStoreOptions) {
    this.#options = options
  }

  async send(path: string, request: StoreRequest = {}, call?: CallOptions): Promise<StoreAnswer> {
    const response = await this.#exchange(path, request, call)
    const fault = faultOfStatus(response, { hasVersion: request.headers?.['if-match'] !== undefined })
    if (fault !== undefined) throw fault
    return {
      resource: readJson(response),
      isNew: response.status === created,
      location: response.headers.get('location') ?? response.headers.get('content-location') ?? undefined,
    }
  }

  /** One page of a search. Who is sought goes in the body: addresses are logged by whatever lies between. */
  async search(type: string, parameters: SearchParameters, call?: CallOptions): Promise<Bundle> {
    const query = queryOf(parameters)
    const { resource } = Object.keys(parameters).some((name) => personal.test(name))
      ? await this.send(`${type}/_search`, { method: 'POST', form: query }, call)
      : await this.send(`${type}?${query}`, {}, call)
    return expectBundle(resource)
  }

  /** A page by the address that the server gave for it. One that lies elsewhere would get the token. */
  async page(address: string, call?: CallOptions): Promise<Bundle> {
    const { href } = new URL(address, `${this.#options.base}/`)
    if (!this.#isHere(href)) throw broken('the next page lies on another server')
    return expectBundle((await this.send(href, {}, call)).resource)
  }

  /** Undefined when it is not there, or is no longer. */
  async sendForOne(path: string, call?: CallOptions, method: 'GET' | 'DELETE' = 'GET'): Promise<unknown> {
    const response = await this.#exchange(path, { method }, call)
    const fault = faultOfStatus(response, { hasVersion: false })
    if (fault?.kind === 'missing') return undefined
    if (fault !== undefined) throw fault
    return readJson(response)
  }

  /** What a write has stored; servers that do not say it are asked. */
  async writtenBy<T extends Resource>(type: string, answer: StoreAnswer, call?: CallOptions) {
    const { resource, location } = answer
    const isShown =
      typeof resource === 'object' && resource !== null && 'resourceType' in resource && resource.resourceType === type
    if (isShown) return expectStored<T>(resource, type)
    const id = new RegExp(`(?:^|/)${type}/([A-Za-z0-9.-]{1,64})(?:/|$)`).exec(location ?? '')?.[1]
    if (id === undefined) throw broken(`neither the ${type} nor its address in the answer`)
    return expectStored<T>((await this.send(`${type}/${id}`, {}, call)).resource, type)
  }

  /** A token that is refused may be an old one: it is replaced once. */
  async #exchange(path: string, request: StoreRequest, call: CallOptions = {}): Promise<OutboundResponse> {
    const { token: source } = this.#options
    if (source === undefined) return this.#once(path, request, undefined, call)
    if (typeof source === 'function') return this.#once(path, request, await source(), call)
    const token = await source.token()
    const response = await this.#once(path, request, token, call)
    if (response.status !== unauthorized) return response
    source.forget(token)
    return this.#once(path, request, await source.token(), call)
  }

  #isHere(address: string): boolean {
    const { base } = this.#options
    return address.startsWith(`${base}/`) || address.startsWith(`${base}?`)
  }

  #once(
    path: string,
    { method = 'GET', resource, form, headers }: StoreRequest,
    token: string | undefined,
    { signal }: CallOptions,
  ): Promise<OutboundResponse> {
    const { base, outbound, deadlineMs } = this.#options
    return outbound.send({
      method,
      url: path === '' ? base : this.#isHere(path) ? path : `${base}/${path}`,
      headers: {
        accept: 'application/fhir+json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(resource === undefined ? {} : { 'content-type': 'application/fhir+json', prefer: 'return=representation' }),
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(resource === undefined ? {} : { body: JSON.stringify(resource) }),
      ...(form === undefined ? {} : { body: form }),
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
      ...(signal === undefined ? {} : { signal }),
    })
  }
}

/** Search parameters that say who somebody is, with whatever modifier. */
const personal = /^(name|family|given|phonetic|identifier|birthdate|phone|email|telecom|address)\b/

// RFC 9110: the words of the other server, which only this folder has to understand.
const created = 201
const unauthorized = 401

/** Decimals stay as they were written: what is read here is merged and written back. */
function readJson(response: OutboundResponse): unknown {
  const text = response.text()
  if (text === '') return undefined
  try {
    return parseJson(text)
  } catch {
    throw broken('no JSON in the answer')
  }
}
