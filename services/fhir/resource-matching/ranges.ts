import { unreachable } from '../../../packages/faults/fault.ts'
import type { SoughtDate, SoughtNumber } from '../search/ast.ts'

/** R4 section 3.1.1.4.7, with the range of the resource from `low` up to `high`. */
export function isInDate({ low, high }: { low: number; high: number }, sought: SoughtDate): boolean {
  const { prefix, low: from, high: to } = sought
  switch (prefix) {
    case 'eq':
      return low >= from && high <= to && high > from
    case 'ne':
      return high > to || low < from
    case 'gt':
      return high > to
    case 'lt':
      return low < from
    case 'ge':
      return high > from && (low >= from || high > to)
    case 'le':
      return low < to && (high <= to || low < from)
    case 'sa':
      return low >= to
    case 'eb':
      return high <= from
    case 'ap':
      return high > from && low < to
    default:
      return unreachable(prefix)
  }
}

/** R4 section 3.1.1.4.6: only `eq` and `ne` go by the digits of what is sought. */
export function isInNumber(
  given: { value: number | undefined; low: number; high: number },
  { prefix, value, low: from, high: to }: SoughtNumber,
): boolean {
  const low = given.value ?? given.low
  const high = given.value ?? given.high
  const isWithin = low >= from && high <= to && low < to
  switch (prefix) {
    case 'eq':
      return isWithin
    case 'ne':
      return !isWithin
    case 'gt':
      return high > value
    case 'lt':
      return low < value
    case 'ge':
      return high >= value
    case 'le':
      return low <= value
    case 'sa':
      return low > value
    case 'eb':
      return high < value
    case 'ap':
      return high >= from && low <= to
    default:
      return unreachable(prefix)
  }
}
