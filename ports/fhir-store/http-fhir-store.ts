import { conflict, faultOf } from '../../packages/faults/fault.ts'
import type { Resource } from '../../packages/fhir/r4.ts'
import type {
  FhirStore,
  SearchParameters,
  SoughtIdentifier,
  UpdateMatchingOptions,
  UpdateOptions,
  Written,
} from './fhir-store.ts'
import type { CallOptions } from '../call-options.ts'
import { findByIdentifiers } from './http/find-by-identifiers.ts'
import { StoreCalls, type HttpFhirStoreOptions } from './http/store-calls.ts'
import { probeCapabilities } from './http/probe-capabilities.ts'
import { queryOf } from './query-of.ts'
import { expectBundle, expectResource, expectStored, matchesOf, typeOf } from './read-resource.ts'
import { searchAll, type WantedPage } from './search-all.ts'

export type { HttpFhirStoreOptions } from './http/store-calls.ts'

/** A FHIR R4 server by its address. What it cannot do itself is done in steps, as far as that is safe. */
export function httpFhirStore(options: HttpFhirStoreOptions): FhirStore {
  const calls = new StoreCalls(options)
  const capabilities = probeCapabilities(calls, options)
  const searchBundle = (type: string, parameters: SearchParameters, call?: CallOptions) =>
    calls.search(type, parameters, call)
  return {
    async read<T extends Resource>(type: string, id: string, call?: CallOptions) {
      const found = await calls.sendForOne(`${type}/${encodeURIComponent(id)}`, call)
      // Sound: whoever asks for a T asks by its type.
      return found === undefined ? undefined : (expectResource(found, type) as T)
    },
    async search<T extends Resource>(type: string, parameters: SearchParameters, call?: CallOptions) {
      // Sound: a search of a type finds resources of the type.
      return matchesOf(await searchBundle(type, parameters, call)) as T[]
    },
    async searchAll<T extends Resource>(type: string, parameters: SearchParameters, call?: CallOptions) {
      const pageOf = (wanted: WantedPage) =>
        typeof wanted === 'string' ? calls.page(wanted, call) : searchBundle(type, wanted, call)
      // Sound: a search of a type finds resources of the type.
      return (await searchAll(type, parameters, pageOf)) as T[]
    },
    searchBundle,
    async findByIdentifiers<T extends Resource>(identifiers: readonly SoughtIdentifier[], call?: CallOptions) {
      if (identifiers.length === 0) return []
      const { batch } = await capabilities(call)
      // Sound: a search of a type finds resources of the type.
      return (await findByIdentifiers(identifiers, calls, { canBatch: batch, call })) as T[][]
    },
    async create<T extends Resource>(resource: T, call?: CallOptions) {
      const type = typeOf(resource)
      return calls.writtenBy<T>(type, await calls.send(type, { method: 'POST', resource }, call), call)
    },
    async createUnlessFound<T extends Resource>(resource: T, criteria: SearchParameters, call?: CallOptions) {
      const type = typeOf(resource)
      const headers = { 'if-none-exist': queryOf(criteria) }
      const answer = await calls.send(type, { method: 'POST', resource: withoutId(resource), headers }, call)
      const stored = await calls.writtenBy<T>(type, answer, call)
      return { resource: stored, outcome: answer.isNew ? 'created' : 'kept' } as const
    },
    update: (resource, call) => putById(resource, calls, call),
    async updateMatching<T extends Resource>(
      resource: T,
      criteria: SearchParameters,
      call: UpdateMatchingOptions = {},
    ) {
      const type = typeOf(resource)
      const { conditionalUpdate } = await capabilities(call)
      if (!conditionalUpdate(type)) return updateInSteps(resource, criteria, calls, call)
      const url = `${type}?${queryOf(criteria)}`
      const request = { method: 'PUT', resource: withoutId(resource) } as const
      const answer = await (call.mustBeNew
        ? calls.send(url, { ...request, headers: { 'if-none-match': '*' } }, call).catch(throwOvertaken)
        : calls.send(url, { ...request, ...versionHeader(call) }, call))
      return written<T>(await calls.writtenBy<T>(type, answer, call), answer.isNew)
    },
    async remove(type, id, call) {
      await calls.sendForOne(`${type}/${encodeURIComponent(id)}`, call, 'DELETE')
    },
    async transaction(bundle, call) {
      return expectBundle((await calls.send('', { method: 'POST', resource: bundle }, call)).resource)
    },
    capabilities,
  }
}

async function putById<T extends Resource>(
  resource: T & { readonly id: string },
  calls: StoreCalls,
  call: UpdateOptions = {},
): Promise<Written<T, 'created' | 'updated'>> {
  const type = typeOf(resource)
  const url = `${type}/${encodeURIComponent(resource.id)}`
  const answer = await calls.send(url, { method: 'PUT', resource, ...versionHeader(call) }, call)
  return written<T>(await calls.writtenBy<T>(type, answer, call), answer.isNew)
}

/** For servers without conditional update: search, then PUT of the version that was found, or a conditional create. */
async function updateInSteps<T extends Resource>(
  resource: T,
  criteria: SearchParameters,
  calls: StoreCalls,
  call: UpdateMatchingOptions,
): Promise<Written<T, 'created' | 'updated'>> {
  const type = typeOf(resource)
  const found = matchesOf(await calls.search(type, { ...criteria, _count: '2' }, call))
  if (found.length > 1) throw manyMatch()
  const [match] = found
  if (match === undefined) {
    const headers = { 'if-none-exist': queryOf(criteria) }
    const answer = await calls.send(type, { method: 'POST', resource: withoutId(resource), headers }, call)
    const stored = await calls.writtenBy<T>(type, answer, call)
    // Somebody else was quicker: what was meant to be stored is not there yet.
    if (!answer.isNew) throw overtaken()
    return written<T>(stored, true)
  }
  if (call.mustBeNew) throw overtaken()
  const { id, meta } = expectStored<T>(match, type)
  const version = call.version ?? meta?.versionId
  return putById({ ...resource, id }, calls, { ...call, ...(version === undefined ? {} : { version }) })
}

function written<T extends Resource>(resource: T & { readonly id: string }, isNew: boolean) {
  return { resource, outcome: isNew ? 'created' : 'updated' } as const
}

/** Servers differ in what an id in a conditional body means; none needs it. */
function withoutId(resource: Resource): object {
  const { id: _id, ...rest } = resource
  return rest
}

const versionHeader = ({ version }: UpdateOptions) =>
  version === undefined ? {} : { headers: { 'if-match': `W/"${version}"` } }

const manyMatch = () =>
  conflict('More than one resource of the FHIR server matches the criteria.', { code: 'MULTIPLE_MATCHES' })

/** One that is there and several that are have one status: whoever reads again sees which it was. */
function throwOvertaken(thrown: unknown): never {
  const fault = faultOf(thrown)
  throw fault.code === 'MULTIPLE_MATCHES' ? overtaken() : fault
}

const overtaken = () => conflict('The resource was created by somebody else at the same moment. Try again.')
