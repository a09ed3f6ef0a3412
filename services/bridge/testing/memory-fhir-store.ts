import { assert, conflict } from '../../../packages/faults/fault.ts'
import type {
  Bundle,
  BundleEntry,
  FhirResource,
  Identifier,
  Provenance,
  Reference,
  Resource,
} from '../../../packages/fhir/r4.ts'
import type {
  FhirStore,
  SearchParameters,
  UpdateMatchingOptions,
  UpdateOptions,
} from '../../../ports/fhir-store/fhir-store.ts'
import { unavailableFhirStore } from '../../../ports/fhir-store/unavailable-fhir-store.ts'
import { settled } from '../mapping/merge.ts'
import type { StoredResource } from '../persist/stored.ts'
import { patientOf } from '../mapping/patient-of.ts'

export interface MemoryFhirStoreOptions {
  readonly takesTransactions?: boolean
  /** Of every version that it keeps. */
  readonly now?: () => Date
}

/**
 * As much of a FHIR server as PERSIST asks for. Its conditions are those that the contract of the port holds every other
 * one to: `If-Match`, `If-None-Match: *`, `If-None-Exist`.
 */
export interface MemoryFhirStore extends FhirStore {
  /** By `Type/id`. */
  readonly resources: ReadonlyMap<string, StoredResource>
  /** Every attempt to write, by its method and what it was for: `PUT Patient`, `POST Encounter`. */
  readonly attempts: readonly string[]
  /** Done once, before the next write is looked at: what somebody else does between our reading and our writing. */
  beforeNextWrite(work: () => Promise<unknown>): void
}

export function memoryFhirStore({
  takesTransactions = true,
  now = () => new Date(),
}: MemoryFhirStoreOptions = {}): MemoryFhirStore {
  const resources = new Map<string, StoredResource>()
  const attempts: string[] = []
  const before: (() => Promise<unknown>)[] = []
  let made = 0

  const newId = (type: string) => `${type.toLowerCase()}-${++made}`
  const matching = (type: string, query: string) =>
    [...resources.values()].filter((one) => one.resourceType === type && hasAll(one, new URLSearchParams(query)))
  const found = (type: string, query: string) => {
    const [first, second] = matching(type, query)
    if (second !== undefined) throw conflict('Several match.', { code: 'MULTIPLE_MATCHES' })
    return first
  }
  const keep = (resource: Resource, id: string): StoredResource => {
    const place = `${resource.resourceType}/${id}`
    const version = Number(resources.get(place)?.meta?.versionId ?? 0) + 1
    const meta = { ...resource.meta, versionId: String(version), lastUpdated: now().toISOString() }
    // Sound: the resource with what a server gives it.
    const stored = { ...resource, id, meta } as StoredResource
    resources.set(place, stored)
    return stored
  }
  const turn = async (attempt: string) => {
    await before.shift()?.()
    attempts.push(attempt)
  }

  /** Where an entry's resource goes; undefined for one that is there and stays. */
  const placeOf = ({ resource, request }: BundleEntry): { id: string; stays: boolean } => {
    assert(resource !== undefined && request !== undefined, 'an entry of a transaction writes something')
    const { resourceType: type } = resource
    const [address = '', query] = request.url.split('?')
    const named = address.split('/')[1]
    const condition = request.method === 'POST' ? request.ifNoneExist : query
    const match = named === undefined ? condition && found(type, condition) : resources.get(address)
    const there = match === '' ? undefined : match
    checkVersion(there, request.ifMatch && /"(.*)"/.exec(request.ifMatch)?.[1])
    if (request.ifNoneMatch === '*' && there !== undefined) throw isThere()
    return { id: named ?? there?.id ?? newId(type), stays: request.method === 'POST' && there !== undefined }
  }

  // By ids, by what it refers to, or by what it is told of. Sound: whoever asks for a T asks by its type.
  const search = async <T extends Resource>(type: string, { _id, ...criteria }: SearchParameters) => {
    if (type === 'Provenance' && criteria['target'] !== undefined) {
      const provenances = [...resources.values()].filter((one) => one.resourceType === 'Provenance')
      return provenances.filter((one) => isToldLater(one, criteria)) as unknown as T[]
    }
    const asked = Object.entries(referred).filter(([name]) => criteria[name] !== undefined)
    const isMeant = (one: FhirResource) =>
      one.resourceType === type && asked.every(([name, referencesOf]) => referencesOf(one).includes(criteria[name]))
    return (asked.length === 0
      ? String(_id ?? '')
          .split(',')
          .flatMap((id) => resources.get(`${type}/${id}`) ?? [])
      : [...resources.values()].filter(isMeant)) as unknown as T[]
  }

  return {
    ...unavailableFhirStore,
    resources,
    attempts,
    beforeNextWrite: (work) => void before.push(work),
    // Sound, here and below: whoever asks for a T asks by its type.
    read: async <T extends Resource>(type: string, id: string) => resources.get(`${type}/${id}`) as T | undefined,
    search,
    searchAll: search,
    findByIdentifiers: async <T extends Resource>(sought: Parameters<FhirStore['findByIdentifiers']>[0]) =>
      sought.map(({ type, system = '', value }) =>
        matching(type, queryOf({ identifier: `${system}|${value}` })),
      ) as T[][],
    async createUnlessFound<T extends Resource>(resource: T, criteria: SearchParameters) {
      await turn(`POST ${resource.resourceType}`)
      const there = found(resource.resourceType, queryOf(criteria))
      const stored = there ?? keep(resource, newId(resource.resourceType))
      return { resource: stored as unknown as T & { id: string }, outcome: there === undefined ? 'created' : 'kept' }
    },
    async update<T extends Resource>(resource: T & { readonly id: string }, { version }: UpdateOptions = {}) {
      await turn(`PUT ${resource.resourceType}`)
      const there = resources.get(`${resource.resourceType}/${resource.id}`)
      checkVersion(there, version)
      const stored = keep(resource, resource.id)
      return { resource: stored as unknown as T & { id: string }, outcome: there === undefined ? 'created' : 'updated' }
    },
    async updateMatching<T extends Resource>(
      resource: T,
      criteria: SearchParameters,
      { version, mustBeNew }: UpdateMatchingOptions = {},
    ) {
      await turn(`PUT ${resource.resourceType}`)
      const there = found(resource.resourceType, queryOf(criteria))
      checkVersion(there, version)
      if (mustBeNew && there !== undefined) throw isThere()
      const stored = keep(resource, there?.id ?? newId(resource.resourceType))
      return { resource: stored as unknown as T & { id: string }, outcome: there === undefined ? 'created' : 'updated' }
    },
    async transaction({ entry = [] }: Bundle): Promise<Bundle> {
      await turn(entry.map(({ request, resource }) => `${request?.method} ${resource?.resourceType}`).join(', '))
      const places = entry.map(placeOf)
      const references = new Map(
        entry.map(({ fullUrl = '', resource }, at) => [fullUrl, `${resource?.resourceType}/${places[at]?.id}`]),
      )
      const answers = entry.map(({ resource }, at): BundleEntry => {
        const { id = '', stays = false } = places[at] ?? {}
        const place = `${resource?.resourceType}/${id}`
        const isNew = !resources.has(place)
        // Sound: only references change, into references.
        if (!stays) keep(settled(resource, references) as FhirResource, id)
        const location = `${place}/_history/${resources.get(place)?.meta?.versionId}`
        return { response: { status: isNew ? '201 Created' : '200 OK', location } }
      })
      return { resourceType: 'Bundle', type: 'transaction-response', entry: answers }
    },
    capabilities: async () => ({
      ...{ transaction: takesTransactions, batch: true },
      conditionalUpdate: () => true,
    }),
  }
}

type ReferencesOf = (resource: FhirResource) => readonly unknown[]

const listed =
  (name: 'account' | 'partOf'): ReferencesOf =>
  (resource) =>
    // Sound: what has no such list has none here either.
    ((resource as { readonly [list in typeof name]?: readonly Reference[] })[name] ?? []).map(
      ({ reference }) => reference,
    )

const visitsOf: ReferencesOf = (resource) => {
  // Sound: what has no visit has none here either.
  const { encounter, context } = resource as { encounter?: Reference; context?: { encounter?: Reference[] } }
  return [...(encounter === undefined ? [] : [encounter]), ...(context?.encounter ?? [])].map(
    ({ reference }) => reference,
  )
}

/** What it may be searched by. */
const referred: Readonly<Record<string, ReferencesOf>> = {
  encounter: visitsOf,
  account: listed('account'),
  'part-of': listed('partOf'),
  patient: (resource) => [patientOf(resource)?.reference],
}

/** What a later message of a sender told: `target=…,…&recorded=gt…`. */
function isToldLater({ target, recorded }: Provenance, asked: SearchParameters): boolean {
  const sought = String(asked['target']).split(',')
  const since = Date.parse(String(asked['recorded']).replace('gt', ''))
  return Date.parse(recorded) > since && target.some(({ reference = '' }) => sought.includes(reference))
}

const queryOf = (criteria: SearchParameters) => new URLSearchParams(criteria as Record<string, string>).toString()

function hasAll(resource: FhirResource, query: URLSearchParams): boolean {
  // Sound: what has no identifiers has none here either.
  const { identifier, meta } = resource as { identifier?: Identifier | Identifier[]; meta?: FhirResource['meta'] }
  const tokens = {
    identifier: [identifier ?? []].flat().map(({ system = '', value = '' }) => `${system}|${value}`),
    _tag: (meta?.tag ?? []).map(({ system = '', code = '' }) => `${system}|${code}`),
  }
  return [...query].every(([name, value]) => tokens[name as keyof typeof tokens].includes(value))
}

function checkVersion(there: FhirResource | undefined, version: string | undefined): void {
  if (version !== undefined && version !== '' && there?.meta?.versionId !== version)
    throw conflict('Another version.', { code: 'PRECONDITION_FAILED' })
}

const isThere = () => conflict('It is there.', { code: 'PRECONDITION_FAILED' })
