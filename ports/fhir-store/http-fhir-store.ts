import { forbidden, unavailable } from '../../packages/faults/fault.ts'
import type { Bundle, Resource } from '../../packages/fhir/r4.ts'
import type { Outbound } from '../../packages/http/outbound.ts'
import type { OutboundResponse } from '../../packages/http/outbound-response.ts'
import type { CallOptions, FhirStore, SearchParameters } from './fhir-store.ts'

export interface HttpFhirStoreOptions {
  /** The base address, such as `http://localhost:8080/fhir`. */
  readonly base: string
  readonly outbound: Pick<Outbound, 'send'>
  /** The access token of the caller for whom the calls are made. */
  readonly token: () => Promise<string>
  /** The outbound client's own unless said. */
  readonly deadlineMs?: number
}

/** A FHIR R4 server by its address. */
export function httpFhirStore(options: HttpFhirStoreOptions): FhirStore {
  const { base } = options
  return {
    async read(type, id, call) {
      const response = await send(options, { url: `${base}/${type}/${encodeURIComponent(id)}` }, call)
      if (isNotThere(response)) return undefined
      return resourceOf(response, type) as never
    },
    async search(type, parameters, call) {
      const response = await send(options, { url: `${base}/${type}?${queryOf(parameters)}` }, call)
      const bundle = resourceOf(response, 'Bundle') as Bundle
      return matchesOf(bundle) as never
    },
    async createUnlessFound(resource, search, call) {
      const url = `${base}/${resource.resourceType}`
      checkSuccess(await send(options, { url, resource, ifNoneExist: queryOf(search) }, call))
    },
  }
}

interface FhirCall {
  readonly url: string
  readonly resource?: object
  readonly ifNoneExist?: string
}

async function send(
  { outbound, token, deadlineMs }: HttpFhirStoreOptions,
  { url, resource, ifNoneExist }: FhirCall,
  { signal }: CallOptions = {},
): Promise<OutboundResponse> {
  return outbound.send({
    url,
    headers: {
      accept: 'application/fhir+json',
      authorization: `Bearer ${await token()}`,
      ...(resource === undefined ? {} : { 'content-type': 'application/fhir+json', prefer: 'return=minimal' }),
      ...(ifNoneExist === undefined ? {} : { 'if-none-exist': ifNoneExist }),
    },
    ...(resource === undefined ? {} : { method: 'POST', body: JSON.stringify(resource) }),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    ...(signal === undefined ? {} : { signal }),
  })
}

/** RFC 9110 words: 404 and 410 say that it is not there; FHIR servers hide what a caller may not see behind 404 too. */
const isNotThere = ({ status }: OutboundResponse) => status === 404 || status === 410

function checkSuccess({ status }: OutboundResponse): void {
  if (status === 403) throw forbidden('The FHIR server does not let you do this.')
  if (status < 200 || status > 299) throw broken(`status ${status}`)
}

function resourceOf(response: OutboundResponse, type: string): Resource {
  checkSuccess(response)
  const value = response.json()
  if (typeof value !== 'object' || value === null || !('resourceType' in value) || value.resourceType !== type) {
    throw broken(`no ${type} in the answer`)
  }
  // Sound as far as its kind was just checked; its members are read with care by whoever uses them.
  return value as Resource
}

const matchesOf = ({ entry = [] }: Bundle): Resource[] =>
  entry
    .filter(({ search }) => search?.mode === undefined || search.mode === 'match')
    .map(({ resource }) => resource)
    .filter((resource) => resource !== undefined)

function queryOf(parameters: SearchParameters): string {
  const query = new URLSearchParams()
  for (const [name, values] of Object.entries(parameters)) {
    for (const value of typeof values === 'string' ? [values] : values) query.append(name, value)
  }
  return query.toString()
}

const broken = (logged: string) =>
  unavailable('The FHIR server gave an answer that cannot be used.', { code: 'BAD_GATEWAY', logged })
