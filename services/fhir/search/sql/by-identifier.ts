import { named, sql, type Statement } from '../../../../packages/sql/sql.ts'
import type { AccessConditions } from '../../scopes/access.ts'
import type { Search, SoughtToken } from '../ast.ts'
import { isParameter } from './lookup.ts'
import { isSimple } from './prepared.ts'
import { isToken } from './rows/tokens.ts'

/** Few have one identifier in common; where more do, a page is cut by its size, too, as every other. */
export const directCount = ({ count }: Pick<Search, 'count'>): number => Math.min(count, 5)

/**
 * The search that is made most, for one identifier: from the index straight to the newest version. What has index rows is
 * there, and its newest version is the current one, so that `resources` need not be read: at a million resources a page
 * that is not read is what a search costs. Undefined for every other search.
 */
export function selectByIdentifier(search: Search, access: AccessConditions): Statement | undefined {
  const [condition] = search.branches[0]?.conditions ?? []
  const [type] = search.branches[0]?.types ?? []
  if (!isSimple(search, access) || condition?.kind !== 'match' || condition.parameter.code !== 'identifier') {
    return undefined
  }
  const token = condition.anyOf.find((sought): sought is SoughtToken => sought.kind === 'token')
  if (token === undefined || type === undefined) return undefined
  return named(
    token.system === undefined ? 'fhir_by_value' : 'fhir_by_identifier',
    sql`
    select found.key, newest.type, newest.id, '{}'::text[] as values, newest.content
    from (
      select distinct x.key from fhir.tokens as x
      where ${isParameter([type], 'identifier')} and ${isToken([token])} order by x.key limit ${directCount(search) + 1}
    ) as found
    cross join lateral (
      select v.type, v.id, v.content from fhir.versions as v
      where v.key = found.key order by v.version desc limit 1
    ) as newest
    order by found.key`,
  )
}
