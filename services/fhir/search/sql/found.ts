import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import type { Branch, Condition, Missing, SortKey } from '../ast.ts'
import { groupByAccess, type AccessGroup } from './access.ts'
import { allOf, amongFew, timesOf } from './condition.ts'
import { allHold, isParameter } from './lookup.ts'
import { waysToBeThere } from './match.ts'
import { sortColumns } from './order.ts'
import type { SqlContext } from './sql-context.ts'
import { areWithin, partsOfRange } from './times.ts'

/** What a search finds, or a part of it that has nothing in common with the others. */
export interface Found {
  /** Selects key, type, id, version and the values to sort by. */
  readonly rows: Statement
  /** Where each of these types has its rows in the order of the search: `rows` of the one that `t.type` names. */
  readonly ofEach?: { readonly types: readonly string[]; readonly rows: Statement }
}

/**
 * What the branches find of what the caller may search. None where the caller may search none of the types.
 *
 * Each group of types is a select of its own: an `or` over them would keep the planner from beginning with the index. Where
 * types are sorted by when they were changed they come one by one, for that is how the index has them.
 */
export function selectsFound(
  branches: readonly Branch[],
  sort: readonly SortKey[],
  context: SqlContext,
): readonly Found[] {
  const isByTime = sort[0]?.code === '_lastUpdated'
  return branches.flatMap(({ types, conditions }) =>
    groupByAccess(types, 's', context).flatMap((group): readonly Found[] => {
      const { types: together, condition } = group
      if (!isByTime || together.length === 1) return foundIn(group, conditions, sort, context)
      if (condition === undefined && conditions.every(isOfTime))
        return [foundOfEach(together, conditions, sort, context)]
      if (together.length > apartMax) return foundIn(group, conditions, sort, context)
      return together.flatMap((type) => foundIn({ types: [type], condition }, conditions, sort, context))
    }),
  )
}

function foundIn(
  { types, condition }: AccessGroup,
  conditions: readonly Condition[],
  sort: readonly SortKey[],
  context: SqlContext,
): readonly Found[] {
  const own = amongFew(conditions, types, context)
  const wanted = [isOfType(types), ...(condition === undefined ? [] : [condition]), sql`not r.deleted`]
  const there = own.isAmongFew === true ? undefined : conditions.find(isOfReferenceThere)
  if (there === undefined) return foundBy(conditions, wanted, types, sort, own)
  const others = conditions.filter((one) => one !== there)
  return waysToBeThere(there, types).flatMap((way) => foundBy(others, [way, ...wanted], types, sort, own))
}

const isOfReferenceThere = (condition: Condition): condition is Missing =>
  condition.kind === 'missing' && !condition.isMissing && condition.parameter.type === 'reference'

function foundBy(
  conditions: readonly Condition[],
  wanted: readonly Statement[],
  types: readonly string[],
  sort: readonly SortKey[],
  context: SqlContext,
): readonly Found[] {
  const columns = columnsOf(sort, types)
  const range = context.isAmongFew === true ? undefined : rangeIn(conditions, types, context)
  if (range === undefined) {
    const asked = [...allOf(conditions, types, context), ...wanted]
    return [{ rows: sql`select ${columns} from fhir.resources r where ${allHold(asked)}` }]
  }
  const { code, within, parts, others } = range
  const ofDate = sql`${isParameter(types, code)} and ${within}`
  const rest = [...allOf(others, types, context), ...wanted]
  // The planner knows how many begin close to a time, and not how many last: it is told to begin with those.
  return [
    {
      rows: sql`select ${columns} from fhir.resources r where exists (
        select from fhir.dates x where x.key = r.key and ${ofDate} and ${parts.close}) and ${allHold(rest)}`,
    },
    {
      rows: sql`select ${columns} from (select x.key from fhir.dates x where ${ofDate} and ${parts.lasting} offset 0) t
        cross join lateral (select r.* from fhir.resources r where r.key = t.key offset 0) r where ${allHold(rest)}`,
    },
  ]
}

function foundOfEach(
  types: readonly string[],
  conditions: readonly Condition[],
  sort: readonly SortKey[],
  context: SqlContext,
): Found {
  const select = (isOfOne: Statement) => sql`select ${columnsOf(sort, types)} from fhir.resources r
    where ${allHold([isOfOne, sql`not r.deleted`, ...allOf(conditions, types, context)])}`
  return { rows: select(isOfType(types)), ofEach: { types, rows: select(sql`r.type = t.type`) } }
}

const columnsOf = (sort: readonly SortKey[], types: readonly string[]): Statement =>
  sql`r.key, r.type, r.id, r.version${sortColumns(sort, types)}`

/** What else is asked may be rare: then it is found first, and not looked for along the time of each type. */
const isOfTime = (condition: Condition): boolean =>
  condition.kind === 'changed' || (condition.kind === 'match' && condition.parameter.code === '_lastUpdated')

/** A from and a to of one date, in parts that have nothing in common. */
function rangeIn(conditions: readonly Condition[], types: readonly string[], context: SqlContext) {
  for (const { code, matches } of timesOf(conditions, types, context)) {
    const parts = partsOfRange(matches)
    if (parts === undefined) continue
    const others = conditions.filter((condition) => !matches.some((match) => match === condition))
    return { code, within: areWithin(matches), parts, others }
  }
  return undefined
}

/** Planning takes its time, too. */
const apartMax = 16

export const isOfType = (types: readonly string[]): Statement =>
  types.length === 1 ? sql`r.type = ${types[0]}` : sql`r.type = any(${types}::text[])`
