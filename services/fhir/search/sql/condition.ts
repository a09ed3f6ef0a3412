import { unreachable } from '../../../../packages/faults/fault.ts'
import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import type { CareDates, Chain, Compartment, Condition, Has, Match } from '../ast.ts'
import { careDateParameters } from '../care-dates.ts'
import { parameterKey, resourceKey } from '../../store/keys.ts'
import { isInCompartment } from '../../store/access-condition.ts'
import { sharesValues } from '../../store/shared-parameters.ts'
import { isReachable } from './access.ts'
import { leavesFew } from './leaves-few.ts'
import { allHold, anyHolds, isFound, isParameter, rowKeys, unionAll } from './lookup.ts'
import { isMissing, lookupsOf, matches } from './match.ts'
import { hasOneValue } from './one-value.ts'
import { instant } from './rows/dates.ts'
import type { SqlContext } from './sql-context.ts'
import { areWithin, isOnDate } from './times.ts'

/** The condition on `r`, a resource of one of these types. */
export function holds(condition: Condition, types: readonly string[], context: SqlContext): Statement {
  switch (condition.kind) {
    case 'match':
      return matches(condition, types, context)
    case 'missing':
      return isMissing(condition, types)
    case 'chain':
      return isChained(condition, types, context)
    case 'has':
      return isReferred(condition, context)
    case 'compartment':
      return isOwned(condition, types, context)
    case 'changed':
      return sql`r.last_updated >= ${instant(condition.sinceMs)}`
    case 'care-dates':
      return isCareWithin(condition, types)
    default:
      return unreachable(condition)
  }
}

/**
 * All of these, on `r` of one of these types. Those on one date of which a resource has a single value are one look-up: of
 * a from and a to, each by itself would find half of all that there is.
 */
export function allOf(conditions: readonly Condition[], types: readonly string[], context: SqlContext): Statement[] {
  const times = timesOf(conditions, types, context)
  const others = conditions.filter(
    (condition) => !times.some(({ matches: own }) => own.some((one) => one === condition)),
  )
  return [
    ...others.map((condition) => holds(condition, types, context)),
    ...times.map(({ code, matches: own }) =>
      isFound([{ table: 'dates', suffix: '', predicate: areWithin(own) }], types, code),
    ),
  ]
}

/** Conditions on dates of which a resource of the type has one. */
export function timesOf(
  conditions: readonly Condition[],
  [type, ...otherTypes]: readonly string[],
  { definitions }: Pick<SqlContext, 'definitions'>,
): { readonly code: string; readonly matches: readonly Match[] }[] {
  if (type === undefined || otherTypes.length > 0) return []
  const own = conditions.filter(isOnDate).filter(({ parameter }) => hasOneValue(type, parameter, definitions))
  return [...Map.groupBy(own, ({ parameter }) => parameter.code)].map(([code, ofOne]) => ({ code, matches: ofOne }))
}

/** Only through targets that the caller may search: a match on a hidden one would tell what is in it. */
function isChained(chain: Chain, types: readonly string[], context: SqlContext): Statement {
  if (context.isAmongFew === true) return isChainedByRow(chain, types, context)
  const { parameter, targets } = chain
  const selects = targets.map(
    ({ type, condition }) => sql`select r.key from fhir.resources r where ${isCurrent(type, condition, context)}`,
  )
  return sql`exists (select from fhir.reference_values x
    where x.key = r.key and ${isParameter(types, parameter.code)} and x.target in (${unionAll(selects)}))`
}

/**
 * The same from the few that are left: `offset` keeps the planner from beginning at the other end, with all that anybody
 * has to do with the practitioner.
 */
function isChainedByRow({ parameter, targets }: Chain, types: readonly string[], context: SqlContext): Statement {
  const ways = targets.map(
    ({ type, condition }) => sql`exists (select from fhir.resources r
      where r.key = x.target and ${isCurrent(type, condition, context)} offset 0)`,
  )
  return sql`exists (select from fhir.reference_values x
    where x.key = r.key and ${isParameter(types, parameter.code)} and ${anyHolds(ways)} offset 0)`
}

/** The other way round, under the same rule. Who is among few may be referred to by very many. */
function isReferred({ source, parameter, condition }: Has, { isAmongFew: _few, ...context }: SqlContext): Statement {
  const keys = isReachable(source, 's', context) === undefined ? keysFound(condition, source, context) : undefined
  return sql`exists (select from fhir.reference_values x
    where x.target = r.key and ${isParameter([source], parameter.code)}
      and x.key in (${keys ?? sql`select r.key from fhir.resources r where ${isCurrent(source, condition, context)}`}))`
}

/**
 * The keys of what a condition finds by rows of an index. What has such a row is there and of the type: said once more, the
 * planner would take it for a further condition that leaves little, and collect all instead of stopping at a page.
 */
function keysFound(condition: Condition, type: string, context: SqlContext): Statement | undefined {
  if (condition.kind !== 'match' || condition.negated) return undefined
  const { parameter } = condition
  if (parameter.code === '_id' || parameter.code === '_lastUpdated' || sharesValues(type)) return undefined
  const keys = lookupsOf(condition, context).map((lookup) => rowKeys(lookup, [type], parameter.code))
  return keys.length === 0 ? undefined : unionAll(keys)
}

/** For conditions of which one leaves few, or of a caller who has few. */
export const amongFew = (conditions: readonly Condition[], types: readonly string[], context: SqlContext): SqlContext =>
  types.every((type) => leavesFew(conditions, context.access.of(type, 's')))
    ? { ...context, isAmongFew: true }
    : context

function isCurrent(type: string, condition: Condition, context: SqlContext): Statement {
  const reachable = isReachable(type, 's', context)
  return allHold([
    sql`r.type = ${type} and not r.deleted`,
    holds(condition, [type], amongFew([condition], [type], context)),
    ...(reachable === undefined ? [] : [reachable]),
  ])
}

/** The patient's has a table of its own, because every patient's token asks for it; the others go by their references. */
function isOwned({ compartment, id }: Compartment, types: readonly string[], context: SqlContext): Statement {
  if (compartment === 'Patient') return isInCompartment(id)
  const owner = resourceKey(compartment, id)
  const params = paramsOfOwned(compartment, types, context)
  const referring = sql`exists (select from fhir.reference_values x
    where x.key = r.key and x.param = any(${params}::int[]) and x.target = ${owner})`
  return types.includes(compartment) ? sql`(r.key = ${owner} or ${referring})` : referring
}

/** The keys of all that refer to the owner, where that is not a patient. */
export const ownedKeys = ({ compartment, id }: Compartment, types: readonly string[], context: SqlContext): Statement =>
  sql`select x.key from fhir.reference_values x
    where x.param = any(${paramsOfOwned(compartment, types, context)}::int[]) and x.target = ${resourceKey(compartment, id)}`

const paramsOfOwned = (compartment: string, types: readonly string[], { definitions }: SqlContext) =>
  types.flatMap((type) => definitions.compartmentParameters(compartment, type).map((code) => parameterKey(type, code)))

/** What has no date of care is always part of everything. */
function isCareWithin({ lowMs, highMs }: CareDates, types: readonly string[]): Statement {
  const params = types.flatMap((type) => {
    const code = careDateParameters[type]
    return code === undefined ? [] : [parameterKey(type, code)]
  })
  return sql`(not exists (select from fhir.dates x where x.key = r.key and x.param = any(${params}::int[]))
    or exists (select from fhir.dates x where x.key = r.key and x.param = any(${params}::int[])
      and x.high > ${lowMs} and x.low < ${highMs}))`
}
