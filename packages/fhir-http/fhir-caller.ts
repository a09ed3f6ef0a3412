import { unavailable, type Fault } from '../faults/fault.ts'
import type { Bundle, Resource } from '../fhir/r4.ts'
import type { Outbound } from '../http/outbound/outbound.ts'
import type { OutboundResponse } from '../http/outbound/outbound-response.ts'
import { sendWithToken, type TokenSource } from '../http/outbound/service-token.ts'

export interface FhirCallerOptions {
  /** The base address, such as `http://localhost:8080/fhir`; no slash at the end. */
  readonly base: string
  readonly outbound: Pick<Outbound, 'send'>
  /**
   * Whose rights the calls have: nothing for a server that is open, or whose credentials the outbound client holds; a
   * function for a fixed token or that of the caller who is served; a ServiceToken for a service account.
   */
  readonly token?: (() => Promise<string>) | TokenSource
  /** The outbound client's own unless said. */
  readonly deadlineMs?: number
}

export interface FhirRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly resource?: object
  /** In place of a resource: the parameters of a search. */
  readonly form?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface CallOptions {
  readonly signal?: AbortSignal
}

/** Calls one R4 server. Any status is an answer; what to make of it is the caller's business. */
export class FhirCaller {
  readonly #options: FhirCallerOptions

  constructor(options: FhirCallerOptions) {
    this.#options = options
  }

  /** The path is below the base address, which is itself the empty one; an address that the server gave stands for itself. */
  async send(path: string, request: FhirRequest = {}, call: CallOptions = {}): Promise<OutboundResponse> {
    const { token } = this.#options
    if (token === undefined) return this.#sendWith(undefined, path, request, call)
    if (typeof token === 'function') return this.#sendWith(await token(), path, request, call)
    return sendWithToken(token, (one) => this.#sendWith(one, path, request, call))
  }

  get(path: string, call?: CallOptions): Promise<OutboundResponse> {
    return this.send(path, {}, call)
  }

  post(
    path: string,
    resource: object,
    call?: CallOptions,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<OutboundResponse> {
    return this.send(path, { method: 'POST', resource, headers }, call)
  }

  /** A search with its parameters in the body: addresses are logged by whatever lies between, and these say who. */
  search(type: string, parameters: URLSearchParams, call?: CallOptions): Promise<OutboundResponse> {
    return this.send(`${type}/_search`, { method: 'POST', form: parameters.toString() }, call)
  }

  /** Whether an address lies below the base; only there may the token go. */
  isHere(address: string): boolean {
    const { base } = this.#options
    return address.startsWith(`${base}/`) || address.startsWith(`${base}?`)
  }

  /** The resource that an answer must hold; any other answer is a fault of the server. */
  resourceOf<Kind extends Resource>(response: OutboundResponse, type: Kind['resourceType']): Kind {
    if (response.status < 200 || response.status > 299) throw this.unusable(`status ${response.status}`)
    const value = response.json()
    if (typeof value !== 'object' || value === null || !('resourceType' in value) || value.resourceType !== type) {
      throw this.unusable(`no ${type} in the answer`)
    }
    // Sound as far as its kind was just checked; its members are read with care by whoever uses them.
    return value as Kind
  }

  /** The matches of a search, without what was included beside them. */
  matchesOf<Kind extends Resource>(response: OutboundResponse, type: Kind['resourceType']): Kind[] {
    const { entry = [] } = this.resourceOf<Bundle>(response, 'Bundle')
    return entry.flatMap(({ resource, search }) =>
      resource?.resourceType === type && (search?.mode ?? 'match') === 'match' ? [resource as unknown as Kind] : [],
    )
  }

  /** The id of what was created or found: servers say it in the body, in Location, or in both. */
  createdId(response: OutboundResponse, type: string): string | undefined {
    if (response.status < 200 || response.status > 299) throw this.unusable(`status ${response.status}`)
    const location = response.headers.get('location') ?? response.headers.get('content-location') ?? ''
    const inLocation = new RegExp(`${type}/([A-Za-z0-9.-]{1,64})(?:/_history/|$)`).exec(location)?.[1]
    if (inLocation !== undefined || response.body.length === 0) return inLocation
    const value = response.json()
    const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined
    return typeof id === 'string' ? id : undefined
  }

  unusable(logged: string): Fault {
    return unavailable('The FHIR server gave an answer that cannot be used.', { code: 'BAD_GATEWAY', logged })
  }

  #sendWith(
    token: string | undefined,
    path: string,
    { method = 'GET', resource, form, headers }: FhirRequest,
    { signal }: CallOptions,
  ): Promise<OutboundResponse> {
    const { base, outbound, deadlineMs } = this.#options
    return outbound.send({
      method,
      url: path === '' ? base : this.isHere(path) ? path : `${base}/${path}`,
      headers: {
        accept: 'application/fhir+json',
        ...(resource === undefined ? {} : { 'content-type': 'application/fhir+json', prefer: 'return=representation' }),
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(resource === undefined ? {} : { body: JSON.stringify(resource) }),
      ...(form === undefined ? {} : { body: form }),
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
      ...(signal === undefined ? {} : { signal }),
    })
  }
}
