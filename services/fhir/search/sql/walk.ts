import { unreachable } from '../../../../packages/faults/fault.ts'
import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import { isSharedType } from '../../scopes/shared-types.ts'
import type { Branch, Condition, Match, SortKey, Sought } from '../ast.ts'
import type { PagePosition } from '../cursor.ts'
import { allOf, ownedKeys } from './condition.ts'
import { isOfType } from './found.ts'
import { groupsOf, type Groups } from './groups.ts'
import { allHold, isParameter, isShared, rowKeys, unionAll } from './lookup.ts'
import { lookupsOf, lookupsOfAny } from './match.ts'
import { hasOneValue } from './one-value.ts'
import { isAtOrBehind, sortColumns } from './order.ts'
import { firstRows, indexOf } from './ordered-index.ts'
import type { SqlContext } from './sql-context.ts'
import { areWithin, isOnDate, partsOfWalk } from './times.ts'

/** A search in two parts: first (or, backwards, last) what has a value to sort by, in the order of the index. */
export interface Walk {
  /** In their order. */
  readonly withValue: readonly Statement[]
  readonly withoutValue: Statement
  /** The same keys; of the first it is known that it is there. */
  readonly sort: readonly SortKey[]
  /**
   * What of the first rows of the index, as many as said, the search finds: each looked at by itself, whatever the planner
   * believes. Undefined where nothing tells whether that is worth while.
   */
  readonly among: ((first: number, position: PagePosition | undefined) => Statement) | undefined
  /** What has the first value in common, where the second has an index of its own, and nothing asked may be rare. */
  readonly groups: Groups | undefined
  /** The keys that a condition leaves, a statement each, where an index tells how many these are. */
  readonly leaves: readonly Statement[]
  /** What lies behind the first rows is walked to as well, if all that they leave is too much to be sorted. */
  readonly goesOn: boolean
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
  // A text, on the other hand, may be one of many parts of its element: a street, a city.
  const isOnly = first.parameter.type === 'date' && hasOneValue(type, first.parameter, context.definitions)
  // A bound on the only row there is, which is the one that is walked over: as one on any row, a day of last year would be
  // looked for from today on backwards.
  const isBound = (condition: Condition): condition is Match =>
    isOnly && isOnDate(condition) && condition.parameter.code === first.code
  const bounds = branch.conditions.filter(isBound)
  const conditions = branch.conditions.filter((condition) => !isBound(condition))
  const isCounted = (condition: Condition) => bounds.length === 0 || !isOnCode(condition)
  const leaves = conditions.filter(isCounted).flatMap((condition) => keysLeft(condition, type, context) ?? [])
  const asked = allOf(conditions, types, context)
  const ofParameter = allHold([isParameter(types, first.code), index.hasValue])
  const behind = sortColumns(rest, types, 1)
  // What has a row here is there and of the type. Said once more, the planner would take it for a further condition that
  // leaves little, and rather collect and sort all than walk. Of several values the first counts.
  const isListed = isOnly
    ? []
    : [
        isOfType(types),
        sql`not r.deleted`,
        sql`not exists (select from ${index.table} y where y.key = x.key and y.param = x.param and ${index.isBefore})`,
      ]
  const valued = (part: Statement) => sql`select r.key, r.type, r.id, r.version, ${index.value} as s1${behind}
        from ${index.table} x join fhir.resources r on r.key = x.key
        where ${allHold([ofParameter, areWithin(bounds), part, ...asked, ...isListed])}`
  return {
    withValue: partsOfWalk(bounds, first.descending).map(valued),
    withoutValue: sql`select r.key, r.type, r.id, r.version, ${index.none} as s1${behind}
      from fhir.resources r where ${allHold([isOfType(types), ...asked, sql`not r.deleted`])}
        and ${bounds.length === 0 ? sql`true` : sql`false`}
        and not exists (select from ${index.table} x where x.key = r.key and ${ofParameter})`,
    among:
      bounds.length > 0 || (asked.length > 0 && leaves.length === 0)
        ? undefined
        : (size, position) => sql`select r.key, r.type, r.id, r.version, ${index.value} as s1${behind}
            from (select x.* from ${index.table} x
              where ${allHold([ofParameter, isAtOrBehind(sort, index.value, position)])} ${firstRows(sort, index, size)}) x
            cross join lateral (select r.* from fhir.resources r
              where ${allHold([sql`r.key = x.key`, ...asked, ...isListed])} offset 0) r`,
    groups:
      leaves.length === conditions.length && !branch.conditions.some((condition) => isOn(first, condition))
        ? groupsOf({ type, sort, asked, index, valued }, context.definitions)
        : undefined,
    sort: [{ ...first, isPresent: true }, ...rest],
    leaves,
    // Of which value counts, where there are several, the planner believes that it leaves little, and would not walk.
    goesOn: isOnly || leaves.length === 0,
  }
}

const isOn = ({ code }: SortKey, condition: Condition): boolean =>
  'parameter' in condition && condition.parameter.code === code

/**
 * Whether a practitioner, an organization or a code is popular is asked, for it may be so in other ways than in this:
 * statistics of values without their parameter would have all of a type walked through in vain.
 */
function keysLeft(condition: Condition, type: string, context: SqlContext): Statement | undefined {
  if (condition.kind === 'compartment') return ownedKeys(condition, [type], context)
  const keys = toldBy(condition, type, context).map(({ parameter, lookup }) => rowKeys(lookup, [type], parameter.code))
  return keys.length === 0 ? undefined : unionAll(keys)
}

function toldBy(condition: Condition, type: string, context: SqlContext) {
  if (condition.kind === 'missing' && !condition.isMissing && !isShared([type], condition.parameter.code)) {
    const { parameter } = condition
    return lookupsOfAny(parameter).map((lookup) => ({ parameter, lookup }))
  }
  if (condition.kind !== 'match' || condition.negated) return []
  const { parameter } = condition
  const isTold = parameter.type === 'reference' || (isOnCode(condition) && !isShared([type], parameter.code))
  return isTold ? lookupsOf(condition, context).map((lookup) => ({ parameter, lookup })) : []
}

/** By codes alone: of texts beside them no index tells how many there are. */
const isOnCode = (condition: Condition): boolean =>
  condition.kind === 'match' &&
  condition.parameter.type === 'token' &&
  condition.anyOf.every(({ kind }) => kind === 'token' || kind === 'codes')

/** Those that usually leave a handful: what belongs to one resource, and names of single ones. */
function isSelective(condition: Condition): boolean {
  switch (condition.kind) {
    case 'chain':
    case 'has':
      return true
    case 'compartment':
      return !isSharedType(condition.compartment)
    case 'match': {
      const { parameter, negated, anyOf } = condition
      if (negated) return false
      if (parameter.type === 'reference') return anyOf.every((sought) => isOfFew(sought, parameter.code))
      return parameter.code === 'identifier' || parameter.code === '_id'
    }
    case 'missing':
    case 'changed':
    case 'care-dates':
      return false
    default:
      return unreachable(condition)
  }
}

/** A bare id may be of several types; where one of them is a patient, it is. */
function isOfFew(sought: Sought, code: string): boolean {
  if (sought.kind !== 'reference') return sought.kind === 'reference-identifier'
  if (sought.id === undefined) return false
  return sought.type === undefined ? ofPatients.has(code) : !isSharedType(sought.type)
}

const ofPatients: ReadonlySet<string> = new Set(['patient', 'subject', 'encounter'])
