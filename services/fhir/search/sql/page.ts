import type { Queryable } from '../../../../packages/sql/queryable.ts'
import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import type { SortKey } from '../ast.ts'
import type { PagePosition } from '../cursor.ts'
import type { Key } from '../../store/keys.ts'
import type { Found } from './found.ts'
import { unionAll } from './lookup.ts'
import { isBehind, orderBy, sortTexts } from './order.ts'
import { isCutByBytes, withinBytes, type Among } from '../../store/within-bytes.ts'

export interface FoundRow {
  readonly key: Key
  readonly type: string
  readonly id: string
  /** What it is sorted by, as texts. */
  readonly values: readonly (string | null)[]
  readonly content: string
}

export interface FoundPage {
  /** In the order of the search, whichever way they were read. */
  readonly rows: readonly FoundRow[]
  /** There are more in the direction of reading. */
  readonly hasMore: boolean
}

export interface PageRequest {
  readonly sort: readonly SortKey[]
  readonly count: number
  readonly bytesMax: number
  readonly position: PagePosition | undefined
}

/** Reads one page; one row more than asked for tells whether another page follows. */
export async function readPage(
  found: readonly Found[],
  { sort, count, bytesMax, position }: PageRequest,
  prepared: (statement: Statement) => Statement,
  on: Queryable,
): Promise<FoundPage> {
  const backwards = position?.backwards === true
  const { rows, isCut } = await readRows(found, { sort, limit: count + 1, bytesMax, position, backwards }, on, prepared)
  return pageOf(rows, { count, backwards, isCut })
}

/** The same by a statement that selects the rows of the first page, and one more, by itself. */
export async function readFirstPage(statement: Statement, count: number, on: Queryable): Promise<FoundPage> {
  return pageOf(await on.many<FoundRow>(statement), { count, backwards: false, isCut: false })
}

export interface RowsRequest {
  readonly sort: readonly SortKey[]
  readonly limit: number
  readonly bytesMax: number
  readonly position: PagePosition | undefined
  readonly backwards: boolean
}

export interface ReadRows {
  readonly rows: readonly FoundRow[]
  /** Some were left out because of their size. */
  readonly isCut: boolean
}

/**
 * Rows in their order, as many as the bytes allow. To add up their sizes costs a search a tenth of its time, and hardly ever
 * is one of them so large that it matters: then all is read once more.
 */
export async function readRows(
  found: readonly Found[],
  request: RowsRequest,
  on: Queryable,
  prepared = (statement: Statement): Statement => statement,
): Promise<ReadRows> {
  const eachMax = Math.floor(request.bytesMax / request.limit)
  const rows = await on.many<FoundRow | LargeRow>(prepared(selectSmall(found, request, eachMax)))
  if (rows.every(isSmall)) return { rows, isCut: false }
  const fitting = await on.many<FoundRow & Among>(selectWithinBytes(found, request))
  return { rows: fitting, isCut: isCutByBytes(fitting) }
}

type LargeRow = Omit<FoundRow, 'content'> & { readonly content: null }

const isSmall = (row: FoundRow | LargeRow): row is FoundRow => row.content !== null

/** Without the content of those that are larger than each may be. */
function selectSmall(
  found: readonly Found[],
  { sort, backwards, ...request }: RowsRequest,
  eachMax: number,
): Statement {
  const order = orderBy(sort, backwards)
  return sql`
    select p.key, p.type, p.id, ${sortTexts(sort)} as values,
      case when octet_length(v.content) <= ${eachMax} then v.content end as content
    from ${ofPage(found, { sort, backwards, ...request })} p ${withContent} order by ${order}`
}

function selectWithinBytes(found: readonly Found[], { bytesMax, ...request }: RowsRequest): Statement {
  const order = orderBy(request.sort, request.backwards)
  const rows = sql`select p.*, v.content from ${ofPage(found, request)} p ${withContent}`
  return sql`
    select p.key, p.type, p.id, ${sortTexts(request.sort)} as values, p.content, p.among
    from (${withinBytes(rows, order, bytesMax)}) p order by ${order}`
}

/** The content is fetched for the rows of the page only. */
const withContent = sql`join fhir.versions v on v.key = p.key and v.version = p.version`

/** The first of all are among the first of each; all together would have to be sorted. */
function ofPage(found: readonly Found[], request: Omit<RowsRequest, 'bytesMax'>): Statement {
  const { sort, limit, position, backwards } = request
  const [only, ...others] = found
  const behind = position === undefined ? sql`` : sql`where ${isBehind(sort, position)}`
  const firstOf = (rows: Statement) =>
    sql`(select p.* from (${rows}) p ${behind} order by ${orderBy(sort, backwards)} limit ${limit})`
  const firstOfEach = ({ types, rows }: NonNullable<Found['ofEach']>) =>
    sql`(select p.* from unnest(${types}::text[]) as t (type) cross join lateral ${firstOf(rows)} p)`
  if (only !== undefined && only.ofEach === undefined && others.length === 0) return firstOf(only.rows)
  return firstOf(
    unionAll(found.map(({ rows, ofEach }) => (ofEach === undefined ? firstOf(rows) : firstOfEach(ofEach)))),
  )
}

interface ReadPage {
  readonly count: number
  readonly backwards: boolean
  /** Some that belong to the page were left out because of their size. */
  readonly isCut: boolean
}

export function pageOf(rows: readonly FoundRow[], { count, backwards, isCut }: ReadPage): FoundPage {
  const page = rows.slice(0, count)
  return { rows: backwards ? page.toReversed() : page, hasMore: isCut || rows.length > count }
}

/** How many there are; an estimate stops counting at its limit. */
export async function countFound(found: readonly Found[], upTo: number | undefined, on: Queryable): Promise<number> {
  const limit = upTo === undefined ? sql`` : sql`limit ${upTo}`
  const { total } = await on.one<{ total: string }>(sql`
    select count(*) as total from (select p.key from (${unionAll(found.map(({ rows }) => rows))}) p ${limit}) p`)
  return Number(total)
}
