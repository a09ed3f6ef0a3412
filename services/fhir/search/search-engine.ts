import type { Clock } from '../../../packages/clock/clock.ts'
import { forbidden, missing } from '../../../packages/faults/fault.ts'
import type { Definitions } from '../../../packages/fhir/definitions.ts'
import type { Queryable } from '../../../packages/sql/queryable.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'
import type { AccessConditions } from '../scopes/access.ts'
import type { Branch, Search } from './ast.ts'
import { linksOf, searchFingerprint } from './bundle/links.ts'
import { shaped } from './bundle/shape.ts'
import { parseCursor, type PagePosition } from './cursor.ts'
import type { MatchedVersion, MatchRequest, SearchEngine, SearchPage, SearchRequest } from './engine.ts'
import { isLog, wouldHoldThePatient } from './everything.ts'
import { findSets } from './find-sets.ts'
import { readIncludes, type Included } from './include.ts'
import { granularConditions } from './granular.ts'
import { withLiteralSets } from './literal-sets.ts'
import { searchLimits, type ParseContext, type SearchLimits } from './parse/parse-context.ts'
import { parseSearch } from './parse/parse-search.ts'
import { pairsOf } from './parse/query-text.ts'
import { refuse } from './parse/refuse.ts'
import { readRequest } from './read-request.ts'
import { resolveCodes } from './resolve-codes.ts'
import { directCount, selectByIdentifier } from './sql/by-identifier.ts'
import { selectsFound, type Found } from './sql/found.ts'
import { readInTurn } from './sql/in-turn.ts'
import { unionAll } from './sql/lookup.ts'
import { readAlong } from './sql/along.ts'
import { countFound, readFirstPage, readPage, type FoundPage } from './sql/page.ts'
import { preparedIfSimple } from './sql/prepared.ts'
import type { SqlContext } from './sql/sql-context.ts'
import { walkInOrder } from './sql/walk.ts'
import type { ValueSets } from './terminology.ts'

interface SearchEngineDeps {
  readonly definitions: Definitions
  readonly valueSets: ValueSets
  readonly clock: Clock
  /** The addresses under which this server is known, without a slash at the end. */
  readonly ownBases: readonly string[]
  readonly limits?: SearchLimits
}

export function createSearchEngine(deps: SearchEngineDeps): SearchEngine {
  return {
    search: (request, on) => runSearch(request, on, deps),
    matches: (criteria, on) => findMatches(criteria, on, deps),
    condition: (type, query) => granularConditions(parseContext(deps), sqlBasis(deps))(type, query),
  }
}

async function runSearch(request: SearchRequest, on: Queryable, deps: SearchEngineDeps): Promise<SearchPage> {
  const context = parseContext(deps)
  const { search, addable } = readRequest(request, context)
  const sqlContext = await sqlContextOf(search, request.access, on, deps)
  const position = positionOf(request, search)
  const direct = await readDirectly(search, request.access, on)
  const { page, total } = direct ?? (await readAndCount(search, position, sqlContext, on, context.limits))
  checkPatient(request, search, page)
  const included = await readIncludes(page.rows, search.includes, addable, sqlContext, context.limits, on)
  return {
    entries: entriesOf(page, included, search, deps),
    total,
    links: linksOf(request, search, position, page),
    warnings: warningsOf(search, included, context.limits),
  }
}

interface CountedPage {
  readonly page: FoundPage
  readonly total: number | undefined
}

/** By one identifier, where what it finds fits on a page. */
async function readDirectly(search: Search, access: AccessConditions, on: Queryable): Promise<CountedPage | undefined> {
  const statement = search.shape.kind === 'count' ? undefined : selectByIdentifier(search, access)
  if (statement === undefined) return undefined
  const page = await readFirstPage(statement, directCount(search), on)
  return page.hasMore ? undefined : { page, total: page.rows.length }
}

async function readAndCount(
  search: Search,
  position: PagePosition | undefined,
  context: SqlContext,
  on: Queryable,
  limits: SearchLimits,
): Promise<CountedPage> {
  const found = selectsFound(search.branches, search.sort, context)
  if (found.length === 0) throw outOfScope()
  const page = search.shape.kind === 'count' ? noRows : await readFound(found, search, position, context, on, limits)
  return { page, total: await totalOf(search, found, position, page, on, limits) }
}

/** Whether it was never there or may not be seen is not told. */
function checkPatient({ everythingOf, access }: SearchRequest, search: Search, { rows, hasMore }: FoundPage): void {
  if (everythingOf === undefined || search.cursor !== undefined || search.shape.kind === 'count') return
  if (!wouldHoldThePatient(search)) return
  // Who asked for one that is not there is in the log under its id, and the log stands last.
  const isOnlyLog = rows.every(({ type }) => isLog(type)) && (isReadInTurn(search) || !hasMore)
  if (rows.length === 0 || (isOnlyLog && access.of('Patient', 's') !== 'none')) {
    throw missing('There is no Patient with this id.')
  }
}

function positionOf(request: SearchRequest, search: Search): PagePosition | undefined {
  if (search.cursor === undefined) return undefined
  const sort = isReadInTurn(search) ? (['turn'] as const) : search.sort
  return parseCursor(search.cursor, sort, searchFingerprint(request, search))
}

const isReadInTurn = ({ inTurn, sort }: Search) => inTurn === true && sort.length === 0

async function readFound(
  found: readonly Found[],
  search: Search,
  position: PagePosition | undefined,
  context: SqlContext,
  on: Queryable,
  { pageBytesMax: bytesMax }: SearchLimits,
): Promise<FoundPage> {
  const { count } = search
  if (isReadInTurn(search)) {
    const parts = search.branches.map((branch) => selectsFound([branch], [], context))
    return readInTurn(parts, { count, bytesMax, position }, on)
  }
  const walk = walkInOrder(search.branches, search.sort, context)
  const walked = walk === undefined ? undefined : await readAlong(walk, { count, bytesMax, position }, on)
  if (walked !== undefined) return walked
  const prepared = (statement: Statement) => preparedIfSimple(statement, search, context.access)
  return readPage(found, { sort: search.sort, count, bytesMax, position }, prepared, on)
}

const noRows: FoundPage = { rows: [], hasMore: false }

/** A result that fits on its first page is counted by itself. */
async function totalOf(
  { shape, total }: Search,
  found: readonly Found[],
  position: PagePosition | undefined,
  { rows, hasMore }: FoundPage,
  on: Queryable,
  limits: SearchLimits,
): Promise<number | undefined> {
  if (shape.kind === 'count') return countFound(found, undefined, on)
  if (position === undefined && !hasMore) return rows.length
  if (total === 'none') return undefined
  return countFound(found, total === 'estimate' ? limits.estimateMax : undefined, on)
}

function entriesOf(page: FoundPage, included: Included, { shape }: Search, { definitions }: SearchEngineDeps) {
  const entryOf =
    (mode: 'match' | 'include') =>
    ({ type, id, content }: FoundPage['rows'][number] | Included['rows'][number]) => ({
      type,
      id,
      content: shaped(content, type, shape, definitions),
      mode,
    })
  return [...page.rows.map(entryOf('match')), ...included.rows.map(entryOf('include'))]
}

function warningsOf({ warnings }: Search, { cut }: Included, limits: SearchLimits): string[] {
  const megabytes = Math.ceil(limits.pageBytesMax / 1_048_576)
  const told = {
    size: `More than ${limits.includedMax} resources or ${megabytes} MB would have been included; the rest was left out.`,
    distance: `References were followed ${limits.iterationsMax} times; what lies further away was left out.`,
  }
  return [...warnings.map(({ message }) => message), ...(cut === undefined ? [] : [told[cut]])]
}

/** Always strict, and never without a condition: what is changed must be what was meant. */
async function findMatches(request: MatchRequest, on: Queryable, deps: SearchEngineDeps): Promise<MatchedVersion[]> {
  const { type, query, access, limit } = request
  const search = parseSearch(pairsOf(query), { type, strict: true }, parseContext(deps))
  if (search.branches.every(({ conditions }) => conditions.length === 0)) {
    throw refuse('query', 'must hold at least one search parameter with a value.')
  }
  const found = selectsFound(search.branches, [], await sqlContextOf(search, access, on, deps))
  if (found.length === 0) throw outOfScope()
  const statement = sql`select p.key, p.id, p.version from (${unionAll(found.map(({ rows }) => rows))}) p order by p.key limit ${limit}`
  return on.many<MatchedVersion>(preparedIfSimple(statement, search, access))
}

const outOfScope = () => forbidden('Your token does not let you search this.', { code: 'insufficient_scope' })

function parseContext({ definitions, ownBases, clock, limits = searchLimits }: SearchEngineDeps): ParseContext {
  return { definitions, ownBases, now: clock.now(), limits }
}

const sqlBasis = ({ definitions }: SearchEngineDeps) => ({ definitions, allTypes: definitions.resourceTypes })

async function sqlContextOf(
  search: { readonly branches: readonly Branch[] },
  access: AccessConditions,
  on: Queryable,
  deps: SearchEngineDeps,
): Promise<SqlContext> {
  const granular = granularConditions(parseContext(deps), sqlBasis(deps))
  const valueSets = withLiteralSets({ ...deps, engine: { condition: granular } }, access, on)
  const basis = { ...sqlBasis(deps), codes: await resolveCodes(search, valueSets) }
  return {
    ...basis,
    access,
    sets: await findSets(search, basis, deps.limits ?? searchLimits, on),
    granular,
  }
}
