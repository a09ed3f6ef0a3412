import type { Definitions } from '../../../../packages/fhir/definitions.ts'
import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import type { SortKey } from '../ast.ts'
import type { PagePosition } from '../cursor.ts'
import { allHold, isParameter, isShared } from './lookup.ts'
import { hasOneValue } from './one-value.ts'
import { isAtOrBehind, sortColumns } from './order.ts'
import { firstRows, indexOf, type OrderedIndex } from './ordered-index.ts'

/**
 * Of `_sort=status,-date` all that have one status are a group. Half of a type may be in it: to sort it for a page is what
 * such a search costs, where the index of the dates has it in its order.
 */
export interface Groups {
  /** The code behind this one in the order of the search, as `code`; the first of all where there is none. */
  readonly next: (code: string | undefined) => Statement
  /** A row where more have the code than that. */
  readonly isLarger: (code: string, size: number) => Statement
  /** All of the group. */
  readonly whole: (code: string) => Statement
  /** What of the first rows of the date's index belongs to it: of those that have a date, and not behind the position. */
  readonly along: (code: string, size: number, position: PagePosition | undefined) => Statement
}

interface Walked {
  readonly type: string
  readonly sort: readonly SortKey[]
  /** The conditions on `r`. */
  readonly asked: readonly Statement[]
  readonly index: OrderedIndex
  /** What has a value in the index and, there, is as said. */
  readonly valued: (part: Statement) => Statement
}

/** Undefined where the search does not sort by a code and then by a date of which each has one at most. */
export function groupsOf({ type, sort, asked, index, valued }: Walked, definitions: Definitions): Groups | undefined {
  const [first, second, ...rest] = sort
  if (first?.parameter.type !== 'token' || second?.parameter.type !== 'date') return undefined
  const dates = isShared([type], second.code) ? undefined : indexOf(second)
  if (dates === undefined || !hasOneValue(type, second.parameter, definitions)) return undefined
  const ofCode = allHold([isParameter([type], first.code), index.hasValue])
  const isIn = (code: string) => sql`exists (select from ${index.table} x
    where x.key = r.key and ${ofCode} and ${index.value} = ${code}
      and not exists (select from ${index.table} y where y.key = x.key and y.param = x.param and ${index.isBefore}))`
  const [direction, behind] = first.descending ? [sql`desc`, sql`<`] : [sql``, sql`>`]
  return {
    next: (code) => sql`select ${index.value} as code from ${index.table} x
      where ${ofCode} and ${code === undefined ? sql`true` : sql`${index.value} ${behind} ${code}`}
      order by ${index.value} ${direction} limit 1`,
    isLarger: (code, size) => sql`select 1 from ${index.table} x
      where ${ofCode} and ${index.value} = ${code} offset ${size} limit 1`,
    whole: (code) => valued(sql`${index.value} = ${code}`),
    along: (code, size, position) => sql`
      select r.key, r.type, r.id, r.version, ${code}::text as s1, ${dates.value} as s2${sortColumns(rest, [type], 2)}
      from (select x.* from ${dates.table} x
        where ${isParameter([type], second.code)}
          and ${isAtOrBehind([second, first], dates.value, inGroup(position))} ${firstRows([second, first], dates, size)}) x
      cross join lateral (select r.* from fhir.resources r
        where ${allHold([sql`r.key = x.key`, ...asked, isIn(code)])} offset 0) r`,
  }
}

/** The place among those that have the first value in common. */
const inGroup = (position: PagePosition | undefined): PagePosition | undefined =>
  position === undefined ? undefined : { ...position, values: position.values.slice(1) }
