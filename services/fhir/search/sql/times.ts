import { unreachable } from '../../../../packages/faults/fault.ts'
import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import type { Condition, Match, SoughtDate } from '../ast.ts'
import { allHold, anyHolds } from './lookup.ts'
import { isDate } from './rows/dates.ts'

/** A condition on a date that it must have; where it can have one such date only, all of them speak of the same row. */
export const isOnDate = (condition: Condition): condition is Match =>
  condition.kind === 'match' &&
  !condition.negated &&
  condition.parameter.type === 'date' &&
  condition.parameter.code !== '_lastUpdated'

/** All of these hold for the row `x` of fhir.dates. */
export const areWithin = (matches: readonly Match[]): Statement =>
  allHold(matches.map((match) => anyHolds(datesOf(match).map((date) => isDate(date, sql`x.low`, sql`x.high`)))))

/** What all of them imply: it ends after the one, and begins before the other. */
interface Reach {
  readonly endsAfter: number | undefined
  readonly beginsBefore: number | undefined
}

/**
 * Nearly all times last a day or less, since that is what a date is: what ends after an hour began a day before it or later.
 * Only of those that last longer, which indexes of their own hold (migration 0014), all that began before have to be
 * looked at.
 */
const usualMs = 86_400_000
const lasts = sql`x.high > x.low + 86400000`

/**
 * The conditions that cut a walk over all dates in two, in the order of the walk: those that last, as far back (or, from the
 * newest, as far ahead) as there are any, and the others, which are close to the bound. Without a bound it is one.
 */
export function partsOfWalk(matches: readonly Match[], descending: boolean): readonly Statement[] {
  const { endsAfter, beginsBefore } = reachOf(matches)
  if (descending) {
    if (beginsBefore === undefined) return [sql`true`]
    const latest = beginsBefore + usualMs
    return [sql`x.high > ${latest} and ${lasts}`, sql`x.high <= ${latest}`]
  }
  if (endsAfter === undefined) return [sql`true`]
  const earliest = endsAfter - usualMs
  return [sql`x.low <= ${earliest} and ${lasts}`, sql`x.low > ${earliest}`]
}

/**
 * The conditions that cut what lies between a from and a to in two: what began close to it, and what lasts and began before.
 * Undefined where one end is open, or where the index of ends answers by itself.
 */
export function partsOfRange(
  matches: readonly Match[],
): { readonly close: Statement; readonly lasting: Statement } | undefined {
  const { endsAfter, beginsBefore } = reachOf(matches)
  const isOfOneTime = matches.some((match) => datesOf(match).every(({ prefix }) => prefix === 'eq'))
  if (endsAfter === undefined || beginsBefore === undefined || isOfOneTime) return undefined
  const [lasting, close] = partsOfWalk(matches, false)
  return close === undefined || lasting === undefined ? undefined : { close, lasting }
}

function reachOf(matches: readonly Match[]): Reach {
  const reaches = matches.map((match) => {
    const dates = datesOf(match)
    return { endsAfter: least(dates.map(endsAfterOf)), beginsBefore: most(dates.map(beginsBeforeOf)) }
  })
  const [ends, begins] = [
    reaches.flatMap(({ endsAfter }) => endsAfter ?? []),
    reaches.flatMap(({ beginsBefore }) => beginsBefore ?? []),
  ]
  return {
    endsAfter: ends.length === 0 ? undefined : Math.max(...ends),
    beginsBefore: begins.length === 0 ? undefined : Math.min(...begins),
  }
}

const datesOf = ({ anyOf }: Match): SoughtDate[] => anyOf.filter((sought) => sought.kind === 'date')

/** Of alternatives the widest counts, and one without a bound has none at all. */
const least = (bounds: readonly (number | undefined)[]) =>
  bounds.includes(undefined) ? undefined : Math.min(...bounds.map(Number))
const most = (bounds: readonly (number | undefined)[]) =>
  bounds.includes(undefined) ? undefined : Math.max(...bounds.map(Number))

/** As rows/dates.ts compares. */
function endsAfterOf({ prefix, low, high }: SoughtDate): number | undefined {
  switch (prefix) {
    case 'eq':
    case 'ge':
    case 'ap':
      return low
    case 'gt':
    case 'sa':
      return high
    case 'ne':
    case 'lt':
    case 'le':
    case 'eb':
      return undefined
    default:
      return unreachable(prefix)
  }
}

function beginsBeforeOf({ prefix, low, high }: SoughtDate): number | undefined {
  switch (prefix) {
    case 'lt':
    case 'eb':
      return low
    case 'eq':
    case 'le':
    case 'ap':
      return high
    case 'ne':
    case 'gt':
    case 'ge':
    case 'sa':
      return undefined
    default:
      return unreachable(prefix)
  }
}
