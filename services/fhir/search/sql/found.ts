import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import type { Branch, SortKey } from '../ast.ts'
import { groupByAccess } from './access.ts'
import { amongFew, holds } from './condition.ts'
import { allHold, unionAll } from './lookup.ts'
import { sortColumns } from './order.ts'
import type { SqlContext } from './sql-context.ts'

/**
 * Selects what the branches find of what the caller may search: key, type, id, version and the values to sort by.
 * Undefined where the caller may search none of the types.
 *
 * Each group of types is a select of its own under one `union all`: an `or` over them would keep the planner from
 * beginning with the index.
 */
export function selectFound(
  branches: readonly Branch[],
  sort: readonly SortKey[],
  context: SqlContext,
): Statement | undefined {
  const selects = branches.flatMap(({ types, conditions }) =>
    groupByAccess(types, 's', context).map((group) => {
      const own = amongFew(conditions, group.types, context)
      const where = allHold([
        isOfType(group.types),
        ...conditions.map((condition) => holds(condition, group.types, own)),
        ...(group.condition === undefined ? [] : [group.condition]),
      ])
      return sql`select r.key, r.type, r.id, r.version${sortColumns(sort, group.types)}
        from fhir.resources r where ${where} and not r.deleted`
    }),
  )
  return selects.length === 0 ? undefined : unionAll(selects)
}

export const isOfType = (types: readonly string[]): Statement =>
  types.length === 1 ? sql`r.type = ${types[0]}` : sql`r.type = any(${types}::text[])`
