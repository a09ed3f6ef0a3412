import { bug, unreachable } from '../../../../packages/faults/fault.ts'
import { joined, sql, type Statement } from '../../../../packages/sql/sql.ts'
import type { SortKey } from '../ast.ts'
import type { PagePosition } from '../cursor.ts'
import { anyHolds, indexKey, isParameter } from './lookup.ts'

/** Of the derived table `p`; as many as `_sort` may have keys. */
const columns = [
  { name: sql`s1`, value: sql`p.s1` },
  { name: sql`s2`, value: sql`p.s2` },
  { name: sql`s3`, value: sql`p.s3` },
  { name: sql`s4`, value: sql`p.s4` },
  { name: sql`s5`, value: sql`p.s5` },
] as const

function columnOf(position: number) {
  const column = columns[position]
  if (column === undefined) throw bug('there are more sort keys than columns for them')
  return column
}

/** The values to sort by, as columns of a select over `r`: the lowest of several ascending, the highest descending. */
export function sortColumns(sort: readonly SortKey[], types: readonly string[], before = 0): Statement {
  return sort.reduce(
    (all, key, position) => sql`${all}, ${sortValue(key, types)} as ${columnOf(before + position).name}`,
    sql``,
  )
}

/** The same columns as texts, for the cursor. */
export function sortTexts(sort: readonly SortKey[]): Statement {
  if (sort.length === 0) return sql`'{}'::text[]`
  return sql`array[${joined(
    sort.map((_key, position) => sql`${columnOf(position).value}::text`),
    ', ',
  )}]`
}

/**
 * What has no value comes last in either direction. The key of the resource breaks ties in the direction of the first
 * sort key, so that an index over both is read straight through, backwards too.
 */
export function orderBy(sort: readonly SortKey[], backwards: boolean): Statement {
  const terms = sort.map((key, position) => {
    const { value } = columnOf(position)
    const descending = key.descending !== backwards
    if (isAlwaysThere(key)) return descending ? sql`${value} desc` : sql`${value}`
    if (backwards) return descending ? sql`${value} desc nulls first` : sql`${value} nulls first`
    return descending ? sql`${value} desc nulls last` : sql`${value} nulls last`
  })
  const keyDescending = isKeyDescending(sort) !== backwards
  return joined([...terms, keyDescending ? sql`p.key desc` : sql`p.key`], ', ')
}

/** The rows behind the position: those that differ from it first in a later value. */
export function isBehind(sort: readonly SortKey[], { values, key, backwards }: PagePosition): Statement {
  const equal: Statement[] = []
  const ways: Statement[] = []
  sort.forEach((each, position) => {
    const { value: column } = columnOf(position)
    const value = values[position] ?? null
    const later = isLater(each, column, value, backwards)
    if (later !== undefined) ways.push(joined([...equal, later], 'and'))
    equal.push(value === null ? sql`${column} is null` : sql`${column} = ${typed(each, value)}`)
  })
  const keyLater = isKeyDescending(sort) === backwards ? sql`p.key > ${key}` : sql`p.key < ${key}`
  ways.push(joined([...equal, keyLater], 'and'))
  return sql`${indexedBound(sort, values, backwards)} ${anyHolds(ways)}`
}

const isAlwaysThere = ({ code, isPresent }: SortKey) => isPresent === true || code === '_id' || code === '_lastUpdated'
const isKeyDescending = ([first]: readonly SortKey[]) => first?.descending === true

function isLater(key: SortKey, column: Statement, value: string | null, backwards: boolean): Statement | undefined {
  if (value === null) return backwards ? sql`${column} is not null` : undefined
  const compared =
    key.descending === backwards ? sql`${column} > ${typed(key, value)}` : sql`${column} < ${typed(key, value)}`
  return backwards || isAlwaysThere(key) ? compared : sql`(${compared} or ${column} is null)`
}

/** Implied by the rest; an index cannot be entered at an "or" but can at this. */
function indexedBound(sort: readonly SortKey[], [value]: PagePosition['values'], backwards: boolean): Statement {
  const [first] = sort
  if (first === undefined || !isAlwaysThere(first) || typeof value !== 'string') return sql``
  return sql`${isFrom(first, columnOf(0).value, value, backwards)} and`
}

/** The row `x` with this value may lie behind the position, on the way forward. */
export function isAtOrBehind(
  [first, ...rest]: readonly SortKey[],
  column: Statement,
  position: PagePosition | undefined,
): Statement {
  const value = position?.values[0]
  if (first === undefined || position === undefined || typeof value !== 'string') return sql`true`
  if (rest.length > 0) return isFrom(first, column, value, false)
  return first.descending
    ? sql`(${column}, x.key) < (${typed(first, value)}, ${position.key}::bigint)`
    : sql`(${column}, x.key) > (${typed(first, value)}, ${position.key}::bigint)`
}

const isFrom = (key: SortKey, column: Statement, value: string, backwards: boolean): Statement =>
  key.descending === backwards ? sql`${column} >= ${typed(key, value)}` : sql`${column} <= ${typed(key, value)}`

function typed({ code, parameter }: SortKey, value: string): Statement {
  if (code === '_lastUpdated') return sql`${value}::timestamptz`
  switch (parameter.type) {
    case 'date':
    case 'reference':
      return sql`${value}::bigint`
    case 'number':
    case 'quantity':
      return sql`${value}::double precision`
    case 'token':
    case 'string':
    case 'uri':
      return sql`${value}::text`
    case 'composite':
    case 'special':
      throw bug(`${code} has no order`)
    default:
      return unreachable(parameter.type)
  }
}

function sortValue({ code, parameter, descending }: SortKey, types: readonly string[]): Statement {
  if (code === '_id') return sql`r.id`
  if (code === '_lastUpdated') return sql`r.last_updated`
  const ofRow = sql`x.key = ${indexKey(types, code)} and ${isParameter(types, code)}`
  switch (parameter.type) {
    case 'date':
      return descending
        ? sql`(select max(x.high) from fhir.dates x where ${ofRow})`
        : sql`(select min(x.low) from fhir.dates x where ${ofRow})`
    case 'token':
      return descending
        ? sql`(select max(x.code) from fhir.tokens x where ${ofRow})`
        : sql`(select min(x.code) from fhir.tokens x where ${ofRow})`
    case 'string':
      return descending
        ? sql`(select max(x.folded) from fhir.strings x where ${ofRow})`
        : sql`(select min(x.folded) from fhir.strings x where ${ofRow})`
    // By the key of the target, which puts equal references together. Their text would need the target's row, and
    // whether that is there may be none of the caller's business.
    case 'reference':
      return descending
        ? sql`(select max(x.target) from fhir.reference_values x where ${ofRow})`
        : sql`(select min(x.target) from fhir.reference_values x where ${ofRow})`
    case 'number':
    case 'quantity':
      return descending
        ? sql`(select max(coalesce(x.value, x.high)) from fhir.quantities x where ${ofRow})`
        : sql`(select min(coalesce(x.value, x.low)) from fhir.quantities x where ${ofRow})`
    case 'uri':
      return descending
        ? sql`(select max(x.uri) from fhir.uris x where ${ofRow})`
        : sql`(select min(x.uri) from fhir.uris x where ${ofRow})`
    case 'composite':
    case 'special':
      throw bug(`${code} has no order`)
    default:
      return unreachable(parameter.type)
  }
}
