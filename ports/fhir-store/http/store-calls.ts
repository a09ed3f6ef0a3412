import type { Clock } from '../../../packages/clock/clock.ts'
import { parseJson } from '../../../packages/fhir/parse-json.ts'
import type { Bundle, Resource } from '../../../packages/fhir/r4.ts'
import { FhirCaller, type FhirCallerOptions, type FhirRequest } from '../../../packages/fhir-http/fhir-caller.ts'
import type { OutboundResponse } from '../../../packages/http/outbound/outbound-response.ts'
import type { SearchParameters } from '../fhir-store.ts'
import type { CallOptions } from '../../call-options.ts'
import { queryOf } from '../query-of.ts'
import { broken, expectBundle, expectStored } from '../read-resource.ts'
import { faultOfStatus } from './fault-of-status.ts'

export interface HttpFhirStoreOptions extends FhirCallerOptions {
  /** Says when what the server can do is asked for again, and how far off a date is that it names. */
  readonly clock?: Clock
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
  readonly #base: string
  readonly #caller: FhirCaller
  readonly #clock: Clock | undefined

  constructor(options: HttpFhirStoreOptions) {
    this.#base = options.base
    this.#caller = new FhirCaller(options)
    this.#clock = options.clock
  }

  async send(path: string, request: FhirRequest = {}, call?: CallOptions): Promise<StoreAnswer> {
    const response = await this.#caller.send(path, request, call)
    const fault = faultOfStatus(response, request, this.#clock)
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
    const { href } = new URL(address, `${this.#base}/`)
    if (!this.#caller.isHere(href)) throw broken('the next page lies on another server')
    return expectBundle((await this.send(href, {}, call)).resource)
  }

  /** Undefined when it is not there, or is no longer. */
  async sendForOne(path: string, call?: CallOptions, method: 'GET' | 'DELETE' = 'GET'): Promise<unknown> {
    const response = await this.#caller.send(path, { method }, call)
    const fault = faultOfStatus(response, {}, this.#clock)
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
}

/** Search parameters that say who somebody is, with whatever modifier. */
const personal = /^(name|family|given|phonetic|identifier|birthdate|phone|email|telecom|address)\b/

// RFC 9110: a word of the other server, which only this folder has to understand.
const created = 201

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
