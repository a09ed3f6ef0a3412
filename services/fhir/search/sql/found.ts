import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import type { Branch, SortKey } from '../ast.ts'
import { groupByAccess } from './access.ts'
import { allOf, amongFew } from './condition.ts'
import { allHold } from './lookup.ts'
import { sortColumns } from './order.ts'
import type { SqlContext } from './sql-context.ts'

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
      .map((group) => {
        const own = amongFew(conditions, group.types, context)
        const where = allHold([
          isOfType(group.types),
          ...allOf(conditions, group.types, own),
          ...(group.condition === undefined ? [] : [group.condition]),
        ])
        return sql`select r.key, r.type, r.id, r.version${sortColumns(sort, group.types)}
          from fhir.resources r where ${where} and not r.deleted`
      }),
  )
}

/** Planning takes its time, too. */
const apartMax = 16

export const isOfType = (types: readonly string[]): Statement =>
  types.length === 1 ? sql`r.type = ${types[0]}` : sql`r.type = any(${types}::text[])`
