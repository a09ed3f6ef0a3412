import type { Queryable } from '../../../../packages/sql/queryable.ts'
import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import type { Key } from '../../store/keys.ts'
import { isCutByBytes, withinBytes, type Among } from '../../store/within-bytes.ts'
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
  /** The references to follow, by the type that has them. */
  readonly params: ReadonlyMap<string, ReadonlySet<number>>
  /** The types to arrive at. */
  readonly types: Iterable<string>
  readonly limit: number
  readonly bytesMax: number
}

export interface IncludedRows {
  readonly rows: readonly IncludedRow[]
  /** Some were left out because of their size. */
  readonly isCut: boolean
}

/**
 * The resources at the other end of references. To follow a reference is to read its target; to find who refers is to
 * search, so the caller needs that right.
 */
export function readIncluded(following: Following, context: SqlContext, on: Queryable): Promise<IncludedRows> {
  return following.direction === 'forward' ? readTargets(following, context, on) : readReferrers(following, context, on)
}

async function readTargets(
  { keys, params, types, limit, bytesMax }: Following,
  context: SqlContext,
  on: Queryable,
): Promise<IncludedRows> {
  const groups = groupByAccess(types, 'r', context)
  const followed = [...params.values()].flatMap((ofType) => [...ofType])
  if (groups.length === 0 || keys.length === 0 || followed.length === 0) return none
  const selects = groups.map((group): Statement => {
    const reachable = group.condition === undefined ? sql`` : sql`and ${group.condition}`
    return sql`select r.key, r.type, r.id, r.version from ${targetsOf(keys, followed)} as x
      join fhir.resources r on r.key = x.key
      where ${isOfType(group.types)} and not r.deleted ${reachable}`
  })
  const found = sql`
    select p.key, p.type, p.id, v.content
    from (select p.key, p.type, p.id, p.version from (${unionAll(selects)}) p order by p.key limit ${limit}) p
    join fhir.versions v on v.key = p.key and v.version = p.version`
  const rows = await on.many<IncludedRow & Among>(withinBytes(found, sql`p.key`, bytesMax))
  return { rows, isCut: isCutByBytes(rows) }
}

const none: IncludedRows = { rows: [], isCut: false }

/**
 * `distinct` also keeps the planner from turning it round: where a type has few resources (the organizations of a
 * region, the practitioners of a clinic) it would begin with them, and go through every reference that anybody has to one.
 */
const targetsOf = (keys: readonly Key[], params: readonly number[]): Statement => sql`
  (select distinct x.target as key from fhir.reference_values x
    where x.key = any(${keys}::bigint[]) and x.param = any(${params}::int[]))`

/**
 * Everybody may refer to a practitioner or an organization: no more rows are read than tell whether there are too many.
 * One resource may have several of them, as its subject and as its patient; where that left too few, more are read.
 */
async function readReferrers(following: Following, context: SqlContext, on: Queryable): Promise<IncludedRows> {
  const { keys, limit, bytesMax } = following
  const selects = referringSelects(following, context)
  if (selects.length === 0 || keys.length === 0) return none
  for (let rowsMax = limit * rowsEach; ; rowsMax *= rowsEach) {
    // What has index rows is there, and its newest version is the current one.
    const found = sql`
      select found.key, newest.type, newest.id, newest.content, (select count(*) from x) = ${rowsMax} as "mayBeMore"
      from (select distinct x.key from x order by x.key limit ${limit}) as found
      cross join lateral (
        select v.type, v.id, v.content from fhir.versions as v
        where v.key = found.key order by v.version desc limit 1
      ) as newest`
    const rows = await on.many<IncludedRow & Among & { readonly mayBeMore: boolean }>(sql`
      with x as materialized (${unionAll(selects)} limit ${rowsMax}) ${withinBytes(found, sql`p.key`, bytesMax)}`)
    const [first] = rows
    if (first === undefined || first.among === limit || !first.mayBeMore) return { rows, isCut: isCutByBytes(rows) }
  }
}

/** More than most resources have. */
const rowsEach = 4

function referringSelects({ keys, params, types }: Following, context: SqlContext): Statement[] {
  return groupByAccess(types, 's', context).flatMap((group) => {
    const followed = group.types.flatMap((type) => [...(params.get(type) ?? [])])
    if (followed.length === 0) return []
    return [group.condition === undefined ? referrersOf(keys, followed) : reachedOf(keys, followed, group)]
  })
}

/**
 * Each target under each parameter by itself: by arrays, all entries of the index would be collected before the first row
 * is read, or, for one who is referred to by everybody in other ways, the table be gone through in the hope of a few.
 * Parameters that nothing has a value of are left out first (of the 150 that may lead to a patient most are such), in the
 * order of the index, or it would not be used.
 */
const referrersOf = (keys: readonly Key[], params: readonly number[]): Statement => sql`
  (select x.key from unnest(${params}::int[]) as p (param)
    cross join lateral (select from fhir.reference_values x where x.param = p.param order by x.target limit 1) as used
    cross join unnest(${keys}::bigint[]) as k (target)
    cross join lateral (
      select x.key from fhir.reference_values x where x.param = p.param and x.target = k.target offset 0) x)`

/** May be turned round: of those who refer to a practitioner, a patient's own are found by the patient. */
const reachedOf = (
  keys: readonly Key[],
  params: readonly number[],
  { types, condition = sql`true` }: ReturnType<typeof groupByAccess>[number],
): Statement => sql`
  (select r.key from fhir.reference_values x join fhir.resources r on r.key = x.key
    where x.target = any(${keys}::bigint[]) and x.param = any(${params}::int[])
      and ${isOfType(types)} and not r.deleted and ${condition})`
