import { assert, faultOf } from '../../packages/faults/fault.ts'
import { parseJson } from '../../packages/fhir/parse-json.ts'
import type { Resource } from '../../packages/fhir/r4.ts'
import type {
  FhirStore,
  SearchParameters,
  SoughtIdentifier,
  UpdateMatchingOptions,
  UpdateOptions,
} from './fhir-store.ts'
import { queryOf } from './query-of.ts'
import { expectBundle, expectResource, expectStored, matchesOf, typeOf } from './read-resource.ts'
import { searchAll, type WantedPage } from './search-all.ts'

/** The use cases of the FHIR service itself, for one caller, with its checks and its audit. JSON comes out as text. */
export interface FhirUseCases {
  read(type: string, id: string): Promise<string>
  search(type: string, query: string): Promise<string>
  /** A list of lists of resources, one an identifier. */
  findByIdentifiers(identifiers: readonly SoughtIdentifier[]): Promise<string>
  /** With criteria: unless they find one. */
  create(resource: object, criteria?: string): Promise<WrittenText>
  update(resource: object, id: string, version?: string): Promise<WrittenText>
  updateMatching(resource: object, query: string, condition: UpdateMatchingOptions): Promise<WrittenText>
  remove(type: string, id: string): Promise<void>
  bundle(bundle: object): Promise<string>
}

export interface WrittenText {
  readonly content: string
  readonly outcome: 'created' | 'updated' | 'kept'
}

/** The FHIR service of the same process. */
export function inProcessFhirStore(useCases: FhirUseCases): FhirStore {
  const searchBundle = async (type: string, parameters: SearchParameters) =>
    expectBundle(parseJson(await useCases.search(type, queryOf(parameters))))
  return {
    async read<T extends Resource>(type: string, id: string) {
      const content = await unlessMissing(() => useCases.read(type, id))
      // Sound: whoever asks for a T asks by its type.
      return content === undefined ? undefined : (expectResource(parseJson(content), type) as T)
    },
    async search<T extends Resource>(type: string, parameters: SearchParameters) {
      // Sound: a search of a type finds resources of the type.
      return matchesOf(await searchBundle(type, parameters)) as T[]
    },
    async searchAll<T extends Resource>(type: string, parameters: SearchParameters) {
      const pageOf = (wanted: WantedPage) => {
        assert(typeof wanted !== 'string', 'the next page of a search is a search')
        return searchBundle(type, wanted)
      }
      // Sound: a search of a type finds resources of the type.
      return (await searchAll(type, parameters, pageOf)) as T[]
    },
    searchBundle,
    async findByIdentifiers<T extends Resource>(identifiers: readonly SoughtIdentifier[]) {
      if (identifiers.length === 0) return []
      // Sound: the service gives one list an identifier, of resources of its type.
      return parseJson(await useCases.findByIdentifiers(identifiers)) as T[][]
    },
    async create<T extends Resource>(resource: T) {
      return storedIn<T>(await useCases.create(resource), resource)
    },
    async createUnlessFound<T extends Resource>(resource: T, criteria: SearchParameters) {
      const written = await useCases.create(resource, queryOf(criteria))
      return { resource: storedIn<T>(written, resource), outcome: written.outcome === 'kept' ? 'kept' : 'created' }
    },
    async update<T extends Resource>(resource: T & { readonly id: string }, { version }: UpdateOptions = {}) {
      return updated<T>(await useCases.update(resource, resource.id, version), resource)
    },
    async updateMatching<T extends Resource>(
      resource: T,
      criteria: SearchParameters,
      condition: UpdateMatchingOptions = {},
    ) {
      const { id: _id, ...rest } = resource
      return updated<T>(await useCases.updateMatching(rest, queryOf(criteria), condition), resource)
    },
    remove: (type, id) => useCases.remove(type, id),
    async transaction(bundle) {
      return expectBundle(parseJson(await useCases.bundle(bundle)))
    },
    capabilities: async () => ({ transaction: true, batch: true, conditionalUpdate: () => true }),
  }
}

const storedIn = <T extends Resource>({ content }: WrittenText, resource: T) =>
  expectStored<T>(parseJson(content), typeOf(resource))

const updated = <T extends Resource>(written: WrittenText, resource: T) =>
  ({
    resource: storedIn<T>(written, resource),
    outcome: written.outcome === 'created' ? 'created' : 'updated',
  }) as const

async function unlessMissing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (thrown) {
    const fault = faultOf(thrown)
    if (fault.kind === 'missing') return undefined
    throw fault
  }
}
