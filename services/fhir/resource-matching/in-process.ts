import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../packages/clock/clock.ts'
import { forbidden, incorrect } from '../../../packages/faults/fault.ts'
import type { Definitions } from '../../../packages/fhir/definitions.ts'
import type { Resource } from '../../../packages/fhir/r4.ts'
import type { Database } from '../../../packages/sql/database.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import type { Criteria, ResourceMatching } from '../../../ports/resource-matching/resource-matching.ts'
import type { AuthorizeRequest } from '../scopes/access.ts'
import type { SearchEngine } from '../search/engine.ts'
import { withLiteralSets } from '../search/literal-sets.ts'
import { searchLimits } from '../search/parse/parse-context.ts'
import { parseSearch } from '../search/parse/parse-search.ts'
import { pairsOf } from '../search/parse/query-text.ts'
import { resolveCodes } from '../search/resolve-codes.ts'
import type { ValueSets } from '../search/terminology.ts'
import { compileCriteria, type Matches } from './compile-criteria.ts'
import { readVersions } from './read-versions.ts'

interface MatchingDeps {
  readonly definitions: Definitions
  readonly valueSets: ValueSets
  readonly engine: SearchEngine
  readonly authorize: AuthorizeRequest
  readonly database: Database
  readonly clock: Clock
  readonly ownBases: readonly string[]
}

/** How long compiled criteria are believed: a value set that they name may change. */
const believedMs = 30_000

/**
 * For a program of the platform that may search every type. A version is matched as it was written, in memory; criteria
 * that lead to other resources are answered by the search, for what is current.
 */
export function resourceMatchingInProcess(caller: Caller, deps: MatchingDeps): ResourceMatching {
  const access = deps.authorize(caller)
  const compiled = new LRUCache<string, { readonly matches: Matches | undefined; readonly untilMs: number }>({
    max: 500,
  })
  const require = (type: string, right: 'r' | 's') => {
    if (access.of(type, right) !== 'unrestricted') throw outOfScope()
  }
  const compile = async (criteria: Criteria) => {
    const key = `${criteria.type}?${criteria.query}`
    const known = compiled.get(key)
    if (known !== undefined && known.untilMs > deps.clock.monotonicMs()) return known.matches
    const valueSets = withLiteralSets(deps, access, deps.database)
    const matches = await compiledCriteria(criteria, { ...deps, valueSets })
    compiled.set(key, { matches, untilMs: deps.clock.monotonicMs() + believedMs })
    return matches
  }
  return {
    async readVersions(versions) {
      for (const type of new Set(versions.map((version) => version.type))) require(type, 'r')
      return readVersions(versions, deps.database)
    },
    async matches(criteria, resources) {
      require(criteria.type, 's')
      const ofType = (resource: Resource) => resource.resourceType === criteria.type
      const matches = await compile(criteria)
      if (matches !== undefined) return resources.map((resource) => ofType(resource) && matches(resource))
      const ids = resources.filter(ofType).flatMap(({ id }) => id ?? [])
      if (ids.length === 0) return resources.map(() => false)
      const query = `_id=${ids.join(',')}&${criteria.query}`
      const found = await deps.engine.matches({ type: criteria.type, query, access, limit: ids.length }, deps.database)
      const foundIds = new Set(found.map(({ id }) => id))
      return resources.map((resource) => ofType(resource) && resource.id !== undefined && foundIds.has(resource.id))
    },
  }
}

async function compiledCriteria({ type, query }: Criteria, deps: MatchingDeps): Promise<Matches | undefined> {
  const { definitions, ownBases, clock, valueSets } = deps
  if (!definitions.resourceTypes.has(type)) throw incorrect(`There is no type of resource that is called ${type}.`)
  const context = { definitions, ownBases, now: clock.now(), limits: searchLimits }
  const search = parseSearch(pairsOf(query), { type, strict: true }, context)
  return compileCriteria(search, { definitions, ownBases, codes: await resolveCodes(search, valueSets) })
}

const outOfScope = () =>
  forbidden('Whoever watches the record must be allowed to see all of it.', { code: 'insufficient_scope' })
