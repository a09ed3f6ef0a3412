import { unavailable, type Fault } from '../faults/fault.ts'
import type { Bundle, Resource } from '../fhir/r4.ts'
import type { Outbound } from '../http/outbound.ts'
import type { OutboundResponse } from '../http/outbound-response.ts'

export interface FhirCallerOptions {
  /** The base address, such as `http://localhost:8080/fhir`; no slash at the end. */
  readonly base: string
  readonly outbound: Pick<Outbound, 'send'>
  /** For a server that wants a token; none for one that is open, or whose credentials the outbound client holds. */
  readonly token?: TokenSource
  readonly deadlineMs?: number
}

/** A fixed token, or a service account's (ServiceToken). */
export interface TokenSource {
  token(): Promise<string>
  /** The server refused it before its time. */
  forget(refused: string): void
}

export interface CallOptions {
  readonly signal?: AbortSignal
}

/** Calls one R4 server. Any status is an answer; what to make of it is the caller's business. */
export class FhirCaller {
  readonly #options: FhirCallerOptions

  constructor(options: FhirCallerOptions) {
    this.#options = options
  }

  get(path: string, call?: CallOptions): Promise<OutboundResponse> {
    return this.#send({ path, method: 'GET' }, call)
  }

  post(
    path: string,
    resource: object,
    call?: CallOptions,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<OutboundResponse> {
    return this.#send({ path, method: 'POST', body: JSON.stringify(resource), headers }, call)
  }

  /** A search with its parameters in the body: addresses are logged by whatever lies between, and these say who. */
  search(type: string, parameters: URLSearchParams, call?: CallOptions): Promise<OutboundResponse> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return this.#send({ path: `${type}/_search`, method: 'POST', body: parameters.toString(), headers }, call)
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

  async #send(request: FhirRequest, call: CallOptions = {}): Promise<OutboundResponse> {
    const { token } = this.#options
    if (token === undefined) return this.#sendWith(request, call, undefined)
    const first = await token.token()
    const response = await this.#sendWith(request, call, first)
    if (response.status !== 401) return response
    // It may be an old one; it is replaced once.
    token.forget(first)
    return this.#sendWith(request, call, await token.token())
  }

  #sendWith({ path, method, body, headers }: FhirRequest, { signal }: CallOptions, token: string | undefined) {
    const { base, outbound, deadlineMs } = this.#options
    return outbound.send({
      method,
      url: `${base}/${path}`,
      headers: {
        accept: 'application/fhir+json',
        ...(body === undefined ? {} : { 'content-type': 'application/fhir+json', prefer: 'return=representation' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
      ...(signal === undefined ? {} : { signal }),
    })
  }
}

interface FhirRequest {
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}
