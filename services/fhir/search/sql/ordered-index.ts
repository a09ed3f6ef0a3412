import { unreachable } from '../../../../packages/faults/fault.ts'
import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import type { SortKey } from '../ast.ts'

/** An index that has the values of one sort key in their order. */
export interface OrderedIndex {
  readonly table: Statement
  readonly value: Statement
  readonly none: Statement
  /** The row `x` has a value: a concept may be a text without a code. */
  readonly hasValue: Statement
  /** Of the values of one resource the row `y` counts and not `x`. */
  readonly isBefore: Statement
}

/** Numbers and quantities have none: what they are sorted by is not what the index begins with. */
export function indexOf({ code, parameter, descending }: SortKey): OrderedIndex | undefined {
  if (code === '_lastUpdated' || code === '_id') return undefined
  const along = (table: Statement, value: Statement, others: Statement, none: Statement, hasValue = sql`true`) => ({
    ...{ table, value, none, hasValue },
    isBefore: descending
      ? sql`(${others} > ${value} or (${others} = ${value} and y.seq < x.seq))`
      : sql`(${others} < ${value} or (${others} = ${value} and y.seq < x.seq))`,
  })
  switch (parameter.type) {
    case 'string':
      return along(sql`fhir.strings`, sql`x.folded`, sql`y.folded`, sql`null::text`)
    case 'date':
      return descending
        ? along(sql`fhir.dates`, sql`x.high`, sql`y.high`, sql`null::bigint`)
        : along(sql`fhir.dates`, sql`x.low`, sql`y.low`, sql`null::bigint`)
    case 'token':
      return along(sql`fhir.tokens`, sql`x.code`, sql`y.code`, sql`null::text`, sql`x.code is not null`)
    case 'reference':
      return along(sql`fhir.reference_values`, sql`x.target`, sql`y.target`, sql`null::bigint`)
    case 'uri':
      return along(sql`fhir.uris`, sql`x.uri`, sql`y.uri`, sql`null::text`)
    case 'number':
    case 'quantity':
    case 'composite':
    case 'special':
      return undefined
    default:
      return unreachable(parameter.type)
  }
}

/** Where further keys order those that have the first in common, all of these are needed to know which come first. */
export function firstRows([first, ...rest]: readonly SortKey[], { value }: OrderedIndex, size: number): Statement {
  const direction = first?.descending === true ? sql`desc` : sql``
  return rest.length === 0
    ? sql`order by ${value} ${direction}, x.key ${direction} limit ${size}`
    : sql`order by ${value} ${direction} fetch first ${size} rows with ties`
}
