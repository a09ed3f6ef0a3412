import type { Queryable } from '../../../packages/sql/queryable.ts'
import { named, sql, type Statement } from '../../../packages/sql/sql.ts'
import type { AccessConditions, Right, TypeAccess } from '../scopes/access.ts'
import type { SearchEngine } from '../search/engine.ts'
import { accessCondition, versionCondition } from './access-condition.ts'
import type { Stored } from './change.ts'
import { resourceKey, type Key } from './keys.ts'

type Conditions = Pick<SearchEngine, 'condition'>

/** The current version, also one that says "deleted"; undefined if there never was one within reach. */
export async function readResource(
  { type, id, access, right = 'r' }: { type: string; id: string; access: AccessConditions; right?: Right },
  on: Queryable,
  engine: Conditions,
): Promise<Stored | undefined> {
  const reach = access.of(type, right)
  const key = resourceKey(type, id)
  if (reach === 'unrestricted') return toStored(await on.maybe<Row>(newestOf(key, type, id)))
  return toStored(
    await on.maybe<Row>(sql`${currentOf(key, type, id)} and case when r.deleted
      then ${versionCondition(withoutQueries(reach), type, engine)}
      else ${accessCondition(reach, type, engine)} end`),
  )
}

/** The index of a deleted resource is gone, so nothing can be held against a query; whose it was, its version says. */
const withoutQueries = (reach: Exclude<TypeAccess, 'unrestricted'>): TypeAccess =>
  reach === 'none' ? reach : reach.filter(({ query }) => query === undefined)

export async function readVersion(
  { type, id, version, access }: { type: string; id: string; version: number; access: AccessConditions },
  on: Queryable,
  engine: Conditions,
): Promise<Stored | undefined> {
  const row = await on.maybe<Row>(sql`
    select v.type, v.id, v.version, v.last_updated, v.content
    from fhir.versions as v join fhir.resources as r on r.key = v.key
    where v.key = ${resourceKey(type, id)}::bigint and v.version = ${version} and v.type = ${type} and v.id = ${id}
      and ${versionCondition(access.of(type, 'r'), type, engine)}`)
  return toStored(row)
}

/** The current contents of these keys, deleted ones left out. For the platform's own use: no condition is applied. */
export async function readCurrent(keys: readonly Key[], on: Queryable): Promise<Map<Key, Stored>> {
  if (keys.length === 0) return new Map()
  const rows = await on.many<Row & { key: Key }>(
    // One look-up each, whatever they are: nothing for a planner to choose.
    named(
      'fhir_read_current',
      sql`
    select wanted.key, newest.type, newest.id, newest.version, newest.last_updated, newest.content
    from unnest(${keys}::bigint[]) as wanted (key)
    cross join lateral (
      select v.type, v.id, v.version, v.last_updated, v.content from fhir.versions as v
      where v.key = wanted.key order by v.version desc limit 1
    ) as newest
    where newest.content is not null`,
    ),
  )
  return new Map(rows.map((row) => [row.key, toStored(row)]))
}

interface Row {
  readonly type: string
  readonly id: string
  readonly version: number
  readonly last_updated: Date
  readonly content: string | null
}

/**
 * The newest version is the current one: it is found without the row in `resources`. Held against type and id when it is found:
 * among conditions they would let a planner without statistics take the index by type and time, and read all its versions.
 */
const newestOf = (key: Key, type: string, id: string): Statement =>
  named(
    'fhir_read',
    sql`
    select type, id, version, last_updated, content from (
      select v.type, v.id, v.version, v.last_updated, v.content from fhir.versions as v
      where v.key = ${key}::bigint order by v.version desc limit 1
    ) as newest
    where type = ${type} and id = ${id}`,
  )

function currentOf(key: Key, type: string, id: string): Statement {
  return sql`
    select r.type, r.id, r.version, r.last_updated, v.content
    from fhir.resources as r join fhir.versions as v on v.key = r.key and v.version = r.version
    where r.key = ${key}::bigint and r.type = ${type} and r.id = ${id}`
}

function toStored(row: Row): Stored
function toStored(row: Row | undefined): Stored | undefined
function toStored(row: Row | undefined): Stored | undefined {
  if (row === undefined) return undefined
  const { type, id, version, last_updated: lastUpdated, content } = row
  return { type, id, version, lastUpdated, content: content ?? undefined }
}
