import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import type { Branch, Condition, SortKey } from '../ast.ts'
import { groupByAccess } from './access.ts'
import { allOf, amongFew, timesOf } from './condition.ts'
import { allHold, isParameter } from './lookup.ts'
import { sortColumns } from './order.ts'
import type { SqlContext } from './sql-context.ts'
import { areWithin, partsOfRange } from './times.ts'

/**
 * Selects what the branches find of what the caller may search: key, type, id, version and the values to sort by. None where
 * the caller may search none of the types.
 *
 * Each group of types is a select of its own: an `or` over them would keep the planner from beginning with the index. Where a
 * few types are sorted by when they were changed each is one, for that is how the index has them.
 */
export function selectsFound(
  branches: readonly Branch[],
  sort: readonly SortKey[],
  context: SqlContext,
): readonly Statement[] {
  return branches.flatMap(({ types, conditions }) =>
    groupByAccess(types, 's', context)
      .flatMap(({ types: together, condition }) =>
        sort[0]?.code === '_lastUpdated' && together.length <= apartMax
          ? together.map((type) => ({ types: [type], condition }))
          : [{ types: together, condition }],
      )
      .flatMap((group) => {
        const own = amongFew(conditions, group.types, context)
        const reachable = group.condition === undefined ? [] : [group.condition]
        const columns = sql`r.key, r.type, r.id, r.version${sortColumns(sort, group.types)}`
        const wanted = [isOfType(group.types), ...reachable, sql`not r.deleted`]
        const range = own.isAmongFew === true ? undefined : rangeIn(conditions, group.types, own)
        if (range === undefined) {
          return sql`select ${columns} from fhir.resources r where ${allHold([...allOf(conditions, group.types, own), ...wanted])}`
        }
        const { code, within, parts, others } = range
        const ofDate = sql`${isParameter(group.types, code)} and ${within}`
        const rest = [...allOf(others, group.types, own), ...wanted]
        // The planner knows how many begin close to a time, and not how many last: it is told to begin with those.
        return [
          sql`select ${columns} from fhir.resources r where exists (
            select from fhir.dates x where x.key = r.key and ${ofDate} and ${parts.close}) and ${allHold(rest)}`,
          sql`select ${columns} from (select x.key from fhir.dates x where ${ofDate} and ${parts.lasting} offset 0) t
            cross join lateral (select r.* from fhir.resources r where r.key = t.key offset 0) r where ${allHold(rest)}`,
        ]
      }),
  )
}

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
