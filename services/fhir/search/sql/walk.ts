import { unreachable } from '../../../../packages/faults/fault.ts'
import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import type { Branch, Condition, SortKey } from '../ast.ts'
import { holds } from './condition.ts'
import { isOfType } from './found.ts'
import { allHold, anyHolds, isParameter, isShared } from './lookup.ts'
import { hasOneValue } from './one-value.ts'
import { sortColumns } from './order.ts'
import { isDate } from './rows/dates.ts'
import type { SqlContext } from './sql-context.ts'

/** A search in two parts: first (or, backwards, last) what has a value to sort by, in the order of the index. */
export interface Walk {
  readonly withValue: Statement
  readonly withoutValue: Statement
  /** The same keys; of the first it is known that it is there. */
  readonly sort: readonly SortKey[]
}

/**
 * For lists of whole types, newest, oldest or by name, a page is read straight off the index of the first sort key. Where a
 * condition or the caller's access leaves few resources, these are found first and sorted instead: undefined.
 */
export function walkInOrder(
  branches: readonly Branch[],
  sort: readonly SortKey[],
  context: SqlContext,
): Walk | undefined {
  const [branch, ...others] = branches
  const [type, ...otherTypes] = branch?.types ?? []
  const [first, ...rest] = sort
  if (branch === undefined || type === undefined || others.length + otherTypes.length > 0) return undefined
  if (first === undefined || branch.conditions.some(isSelective)) return undefined
  if (context.access.of(type, 's') !== 'unrestricted') return undefined
  const types = [type]
  const index = isShared(types, first.code) ? undefined : indexOf(first)
  if (index === undefined) return undefined
  const { true: bounds = [], false: conditions = [] } = Object.groupBy(branch.conditions, (condition) =>
    String(isBound(condition, first) && hasOneValue(type, first.parameter, context.definitions)),
  )
  const where = allHold([
    isOfType(types),
    ...conditions.map((condition) => holds(condition, types, context)),
    sql`not r.deleted`,
  ])
  const ofParameter = isParameter(types, first.code)
  const behind = sortColumns(rest, types, 1)
  return {
    withValue: sql`select r.key, r.type, r.id, r.version, ${index.value} as s1${behind}
      from ${index.table} x join fhir.resources r on r.key = x.key
      where ${allHold([ofParameter, ...bounds.map(isWithin)])} and ${where} and not exists (select from ${index.table} y
        where y.key = x.key and y.param = x.param and ${index.isBefore})`,
    withoutValue: sql`select r.key, r.type, r.id, r.version, ${index.none} as s1${behind}
      from fhir.resources r where ${where} and ${bounds.length === 0 ? sql`true` : sql`false`}
        and not exists (select from ${index.table} x where x.key = r.key and ${ofParameter})`,
    sort: [{ ...first, isPresent: true }, ...rest],
  }
}

/** A condition on the very date that is sorted by. */
const isBound = (condition: Condition, { code, parameter }: SortKey): boolean =>
  parameter.type === 'date' && condition.kind === 'match' && !condition.negated && condition.parameter.code === code

/**
 * Such a condition on the only row there is, which is the one that is walked over: as one on any row, a day of last year
 * would be looked for from today on backwards.
 */
function isWithin(condition: Condition): Statement {
  const dates = condition.kind === 'match' ? condition.anyOf.filter((sought) => sought.kind === 'date') : []
  return anyHolds(dates.map((date) => isDate(date, sql`x.low`, sql`x.high`)))
}

/** Those that usually leave a handful: what belongs to one resource, and names of single ones. */
function isSelective(condition: Condition): boolean {
  switch (condition.kind) {
    case 'chain':
    case 'has':
    case 'compartment':
      return true
    case 'match': {
      const { parameter, negated } = condition
      const isName = parameter.type === 'reference' || parameter.code === 'identifier' || parameter.code === '_id'
      return isName && !negated
    }
    case 'missing':
    case 'changed':
    case 'care-dates':
      return false
    default:
      return unreachable(condition)
  }
}

interface OrderedIndex {
  readonly table: Statement
  readonly value: Statement
  readonly none: Statement
  /** Of the values of one resource the row `y` counts and not `x`. */
  readonly isBefore: Statement
}

function indexOf({ code, parameter, descending }: SortKey): OrderedIndex | undefined {
  if (code === '_lastUpdated') return undefined
  if (parameter.type === 'string') {
    return {
      table: sql`fhir.strings`,
      value: sql`x.folded`,
      none: sql`null::text`,
      isBefore: descending
        ? sql`(y.folded > x.folded or (y.folded = x.folded and y.seq < x.seq))`
        : sql`(y.folded < x.folded or (y.folded = x.folded and y.seq < x.seq))`,
    }
  }
  if (parameter.type === 'date') {
    return {
      table: sql`fhir.dates`,
      value: descending ? sql`x.high` : sql`x.low`,
      none: sql`null::bigint`,
      isBefore: descending
        ? sql`(y.high > x.high or (y.high = x.high and y.seq < x.seq))`
        : sql`(y.low < x.low or (y.low = x.low and y.seq < x.seq))`,
    }
  }
  return undefined
}
