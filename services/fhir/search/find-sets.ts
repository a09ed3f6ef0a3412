import type { Queryable } from '../../../packages/sql/queryable.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { sharesValues } from '../store/shared-parameters.ts'
import type { Key } from '../store/keys.ts'
import type { Branch, Match } from './ast.ts'
import { matchesIn, type TypedMatch } from './matches-in.ts'
import type { SearchLimits } from './parse/parse-context.ts'
import type { FoundSets } from './sql/found-sets.ts'
import { isShared, rowKeys, unionAll } from './sql/lookup.ts'
import { lookupsOf } from './sql/match.ts'
import type { SqlContext } from './sql/sql-context.ts'

/**
 * Looks the sets up before the search, because no statistics of PostgreSQL tell how many resources a set has that another
 * part of the same statement finds. A set is never changed, so what was found stays true; resources whose set comes later
 * come after this search. Not for what is negated, which would find them.
 */
export async function findSets(
  { branches }: { readonly branches: readonly Branch[] },
  context: Pick<SqlContext, 'allTypes' | 'codes'>,
  { setsMax }: Pick<SearchLimits, 'setsMax'>,
  on: Queryable,
): Promise<FoundSets> {
  const found = new Map<Match, readonly Key[]>()
  for (const { match, types } of branches.flatMap(sharedMatches)) {
    const lookups = lookupsOf(match, context)
    const { code } = match.parameter
    if (lookups.length === 0 || !lookups.every(({ suffix }) => isShared(types, `${code}${suffix}`))) continue
    const selects = lookups.map((lookup) => rowKeys(lookup, types, code))
    const rows = await on.many<{ key: Key }>(sql`${unionAll(selects)} limit ${setsMax + 1}`)
    if (rows.length <= setsMax) found.set(match, [...new Set(rows.map(({ key }) => key))])
  }
  return (match, types) => (types.every(sharesValues) ? found.get(match) : undefined)
}

function sharedMatches({ types, conditions }: Branch): TypedMatch[] {
  return matchesIn(types, conditions)
    .map((one) => ({ ...one, types: one.types.filter(sharesValues) }))
    .filter(({ match, types: sharing }) => !match.negated && sharing.length > 0)
}
