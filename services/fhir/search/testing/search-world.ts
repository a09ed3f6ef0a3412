import { SimulatedClock } from '../../../../packages/clock/simulated-clock.ts'
import { loadDefinitions, type Definitions } from '../../../../packages/fhir/definitions.ts'
import type { Database } from '../../../../packages/sql/database.ts'
import { fullAccess, type AccessConditions } from '../../scopes/access.ts'
import type { Outcome } from '../../store/change.ts'
import { withoutGiven } from '../../store/content.ts'
import { createIndexOf } from '../../store/index-rows.ts'
import { SharedSets } from '../../store/shared-sets.ts'
import { writeAll } from '../../store/write.ts'
import { fhirDatabase } from '../../testing/fhir-database.ts'
import type { SearchEngine, SearchPage, SearchRequest } from '../engine.ts'
import { searchLimits, type SearchLimits } from '../parse/parse-context.ts'
import { requiredValueSets } from './required-value-sets.ts'
import { createSearchEngine } from '../search-engine.ts'
import type { ValueSets } from '../terminology.ts'

export const base = 'http://localhost:8080/fhir'

export interface TestResource {
  readonly resourceType: string
  readonly id: string
  readonly [element: string]: unknown
}

/** A database with resources in it and the engine over it. */
export interface SearchWorld extends AsyncDisposable {
  readonly database: Database
  readonly definitions: Definitions
  readonly engine: SearchEngine
  readonly clock: SimulatedClock
  put(...resources: readonly TestResource[]): Promise<void>
  remove(type: string, id: string): Promise<void>
  /** One page of `Type?query`, or of `?query` over all types. */
  page(search: string, options?: PageOptions, on?: Database): Promise<SearchPage>
  /** The same with other limits. */
  pageWithin(limits: Partial<SearchLimits>): SearchWorld['page']
  /** The matches of a search as `Type/id`, sorted. */
  find(search: string, options?: PageOptions): Promise<string[]>
}

export type PageOptions = Partial<Pick<SearchRequest, 'access' | 'isStrict' | 'compartment' | 'everythingOf'>>

export async function searchWorld(limits: Partial<SearchLimits> = {}, valueSets?: ValueSets): Promise<SearchWorld> {
  const opened = await fhirDatabase()
  const { database } = opened
  const definitions = await loadDefinitions()
  const clock = new SimulatedClock(new Date('2024-06-01T00:00:00Z'))
  const engineWithin = (given: Partial<SearchLimits>) =>
    createSearchEngine({
      ...{ definitions, clock, ownBases: [base], limits: { ...searchLimits, ...given } },
      valueSets: valueSets ?? requiredValueSets(definitions),
    })
  const engine = engineWithin(limits)
  const sets = new SharedSets({ clock })
  const indexOf = createIndexOf(definitions, { ownBases: [base] })
  const write = async (resources: readonly TestResource[], access: AccessConditions = fullAccess) => {
    const changes = resources.map((resource) => ({
      method: 'PUT' as const,
      type: resource.resourceType,
      target: { kind: 'id' as const, id: resource.id, mayCreate: true },
      body: { resource: withoutGiven(resource), index: indexOf(resource.resourceType, withoutGiven(resource)) },
      access,
    }))
    mustHold(await database.transaction((tx) => writeAll(changes, tx, { engine, clock, sets })))
  }
  const pageOf =
    (own: SearchEngine): SearchWorld['page'] =>
    (search, options = {}, on = database) => {
      const at = search.indexOf('?')
      const type = at === -1 ? search : search.slice(0, at)
      return own.search(
        {
          type: type === '' ? undefined : type,
          query: at === -1 ? '' : search.slice(at + 1),
          access: fullAccess,
          isStrict: true,
          base,
          ...options,
        },
        on,
      )
    }
  const page = pageOf(engine)
  return {
    database,
    definitions,
    engine,
    clock,
    put: (...resources) => write(resources),
    async remove(type, id) {
      const target = { kind: 'id', id, mayCreate: false } as const
      const change = { method: 'DELETE', type, target, body: undefined, access: fullAccess } as const
      mustHold(await database.transaction((tx) => writeAll([change], tx, { engine, clock, sets })))
    },
    page,
    pageWithin: (given) => pageOf(engineWithin(given)),
    async find(search, options) {
      return namesOf(await page(search, options), 'match')
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

/** The entries of one mode as `Type/id`, sorted. */
export const namesOf = ({ entries }: SearchPage, mode: 'match' | 'include'): string[] =>
  entries
    .filter((entry) => entry.mode === mode)
    .map(({ type, id }) => `${type}/${id}`)
    .sort()

/** The query of a link of a page. */
export function queryOfLink({ links }: SearchPage, relation: string): string | undefined {
  const url = links.find((link) => link.relation === relation)?.url
  return url === undefined ? undefined : url.slice(url.indexOf('?') + 1)
}

function mustHold(outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes) if (outcome.kind === 'refused') throw outcome.fault
}
