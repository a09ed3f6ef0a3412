import type { Queryable } from '../../../../packages/sql/queryable.ts'
import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import type { SortKey } from '../ast.ts'
import type { PagePosition } from '../cursor.ts'
import type { Key } from '../../store/keys.ts'
import { isBehind, orderBy, sortTexts } from './order.ts'

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

/** Reads one page; one row more than asked for tells whether another page follows. */
export async function readPage(
  found: Statement,
  { sort, count, position }: { sort: readonly SortKey[]; count: number; position: PagePosition | undefined },
  prepared: (statement: Statement) => Statement,
  on: Queryable,
): Promise<FoundPage> {
  const backwards = position?.backwards === true
  const order = orderBy(sort, backwards)
  const behind = position === undefined ? sql`` : sql`where ${isBehind(sort, position)}`
  // The content is fetched for the rows of the page only.
  const statement = sql`
    select p.key, p.type, p.id, ${sortTexts(sort)} as values, v.content
    from (select p.* from (${found}) p ${behind} order by ${order} limit ${count + 1}) p
    join fhir.versions v on v.key = p.key and v.version = p.version
    order by ${order}`
  const rows = await on.many<FoundRow>(prepared(statement))
  const page = rows.slice(0, count)
  return { rows: backwards ? page.toReversed() : page, hasMore: rows.length > count }
}

/** How many there are; an estimate stops counting at its limit. */
export async function countFound(found: Statement, upTo: number | undefined, on: Queryable): Promise<number> {
  const limit = upTo === undefined ? sql`` : sql`limit ${upTo}`
  const { total } = await on.one<{ total: string }>(sql`
    select count(*) as total from (select p.key from (${found}) p ${limit}) p`)
  return Number(total)
}
