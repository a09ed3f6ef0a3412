import type { Queryable } from '../../../../packages/sql/queryable.ts'
import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import type { Key } from '../../store/keys.ts'
import { groupByAccess } from './access.ts'
import { isOfType } from './found.ts'
import { unionAll } from './lookup.ts'
import type { SqlContext } from './sql-context.ts'

export interface IncludedRow {
  readonly key: Key
  readonly type: string
  readonly id: string
  readonly content: string
}

export interface Following {
  readonly direction: 'forward' | 'reverse'
  /** The resources to start from. */
  readonly keys: readonly Key[]
  /** The references to follow; undefined: all. */
  readonly params: readonly number[] | undefined
  /** The types to arrive at. */
  readonly types: Iterable<string>
  readonly limit: number
}

/**
 * The resources at the other end of references. To follow a reference is to read its target; to find who refers is to
 * search, so the caller needs that right.
 */
export async function readIncluded(
  { direction, keys, params, types, limit }: Following,
  context: SqlContext,
  on: Queryable,
): Promise<IncludedRow[]> {
  const groups = groupByAccess(types, direction === 'forward' ? 'r' : 's', context)
  if (groups.length === 0 || keys.length === 0 || params?.length === 0) return []
  const isFollowed = params === undefined ? sql`true` : sql`x.param = any(${params}::int[])`
  const ends = direction === 'forward' ? targetsOf(keys, isFollowed) : referrersOf(keys, isFollowed)
  const selects = groups.map((group): Statement => {
    const reachable = group.condition === undefined ? sql`` : sql`and ${group.condition}`
    return sql`select r.key, r.type, r.id, r.version from ${ends} as x join fhir.resources r on r.key = x.key
      where ${isOfType(group.types)} and not r.deleted ${reachable}`
  })
  return on.many<IncludedRow>(sql`
    select p.key, p.type, p.id, v.content
    from (select distinct p.key, p.type, p.id, p.version from (${unionAll(selects)}) p order by p.key limit ${limit}) p
    join fhir.versions v on v.key = p.key and v.version = p.version
    order by p.key`)
}

/**
 * `distinct` also keeps the planner from turning it round: where a type has few resources (the organizations of a
 * region, the practitioners of a clinic) it would begin with them, and go through every reference that anybody has to one.
 */
const targetsOf = (keys: readonly Key[], isFollowed: Statement): Statement => sql`
  (select distinct x.target as key from fhir.reference_values x where x.key = any(${keys}::bigint[]) and ${isFollowed})`

/** May be turned round: of those who refer to a practitioner, a patient's own are found by the patient. */
const referrersOf = (keys: readonly Key[], isFollowed: Statement): Statement => sql`
  (select x.key from fhir.reference_values x where x.target = any(${keys}::bigint[]) and ${isFollowed})`
