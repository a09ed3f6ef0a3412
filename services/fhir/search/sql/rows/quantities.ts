import { unreachable } from '../../../../../packages/faults/fault.ts'
import { sql, type Statement } from '../../../../../packages/sql/sql.ts'
import type { SoughtNumber, SoughtQuantity } from '../../ast.ts'
import { wholeText } from '../../../store/indexed-text.ts'
import { systemKey } from '../../../store/keys.ts'

/**
 * The bounds of a row are those of its digits, so the value itself is compared where there is one; a range and a value
 * with a comparator have none. The bounds are asked for as well, since the index holds them.
 */
export function isNumber(sought: SoughtNumber): Statement {
  const compared = isBetween(sought, sql`coalesce(x.value, x.low)`, sql`coalesce(x.value, x.high)`)
  const indexed = indexedBound(sought)
  return indexed === undefined ? compared : sql`(${indexed} and ${compared})`
}

export function isQuantity({ number, system, code }: SoughtQuantity): Statement {
  const parts = [isNumber(number)]
  if (system !== undefined) parts.push(sql`x.system = ${systemKey(system)}`)
  if (code !== undefined) {
    const unit = wholeText(code)
    // With a system it is a code of it; without one people write what they see, which is the unit.
    parts.push(system === undefined ? sql`(x.code = ${unit} or x.unit = ${unit})` : sql`x.code = ${unit}`)
  }
  return parts.reduce((all, part) => sql`${all} and ${part}`)
}

/**
 * R4 section 3.1.1.4.6: only `eq` and `ne` go by the digits of what is sought; for the other prefixes it is as exact as
 * can be. `low` and `high` are the same for a single value.
 */
export function isBetween(
  { prefix, value, low: from, high: to }: SoughtNumber,
  low: Statement,
  high: Statement,
): Statement {
  switch (prefix) {
    case 'eq':
      return sql`(${low} >= ${from} and ${high} <= ${to} and ${low} < ${to})`
    case 'ne':
      return sql`not (${low} >= ${from} and ${high} <= ${to} and ${low} < ${to})`
    case 'gt':
      return sql`${high} > ${value}`
    case 'lt':
      return sql`${low} < ${value}`
    case 'ge':
      return sql`${high} >= ${value}`
    case 'le':
      return sql`${low} <= ${value}`
    case 'sa':
      return sql`${low} > ${value}`
    case 'eb':
      return sql`${high} < ${value}`
    case 'ap':
      return sql`(${high} >= ${from} and ${low} <= ${to})`
    default:
      return unreachable(prefix)
  }
}

/** A value never lies outside the bounds of its own digits. */
function indexedBound({ prefix, value, low, high }: SoughtNumber): Statement | undefined {
  switch (prefix) {
    case 'eq':
    case 'ap':
      return sql`x.high >= ${low} and x.low <= ${high}`
    case 'gt':
    case 'ge':
    case 'sa':
      return sql`x.high >= ${value}`
    case 'lt':
    case 'le':
    case 'eb':
      return sql`x.low <= ${value}`
    case 'ne':
      return undefined
    default:
      return unreachable(prefix)
  }
}
