import type { Queryable } from '../../../packages/sql/queryable.ts'
import { kept, sql, type Statement } from '../../../packages/sql/sql.ts'
import type { Key } from './keys.ts'

/** The row of a resource: which version is current, and what its index rows were made of. */
export interface Head {
  readonly key: Key
  readonly type: string
  readonly id: string
  readonly version: number
  readonly lastUpdated: Date
  readonly deleted: boolean
  readonly hashes: readonly Key[]
}

/** The row as it becomes. */
export interface NewHead extends Head {
  /** The set of index rows that it has in common with others (shared-sets.ts); null: all its rows are its own. */
  readonly sharedKey: Key | null
}

/** Locks what is there, in the order of keys, until the transaction ends. */
export async function lockHeads(keys: readonly Key[], tx: Queryable): Promise<Map<Key, Head>> {
  if (keys.length === 0) return new Map()
  const heads = await tx.many<Head>(sql`
    select key, type, id, version, last_updated as "lastUpdated", deleted, index_hashes as hashes
    from fhir.resources where key = any (${keys}::bigint[])
    order by key for update`)
  return new Map(heads.map((head) => [head.key, head]))
}

/** Gives the keys that were inserted; another writer was quicker with the others. */
export async function insertHeads(heads: readonly NewHead[], tx: Queryable): Promise<ReadonlySet<Key>> {
  if (heads.length === 0) return new Set()
  const inserted = await tx.many<{ key: Key }>(
    kept('fhir_insert_heads', sql`${insertionOf(heads)} on conflict (key) do nothing returning key`),
  )
  return new Set(inserted.map(({ key }) => key))
}

/** Of resources whose ids were made for them: one that is there already is an error. */
export const insertionOf = (heads: readonly NewHead[]): Statement => sql`
  insert into fhir.resources (key, type, id, version, last_updated, deleted, index_hashes, shared_key)
  select key, type, id, version, last_updated, deleted, hashes::bigint[], shared_key from ${rowsOf(sortedByKey(heads))}`

/** The rows are locked, so nobody can have changed them since they were read. */
export const updateOf = (heads: readonly NewHead[]): Statement => sql`
  update fhir.resources as r
  set version = n.version, last_updated = n.last_updated, deleted = n.deleted, index_hashes = n.hashes::bigint[],
    shared_key = n.shared_key
  from ${rowsOf(heads)}
  where r.key = n.key`

function rowsOf(heads: readonly NewHead[]) {
  return sql`unnest(
    ${heads.map(({ key }) => key)}::bigint[], ${heads.map(({ type }) => type)}::text[],
    ${heads.map(({ id }) => id)}::text[], ${heads.map(({ version }) => version)}::integer[],
    ${heads.map(({ lastUpdated }) => lastUpdated)}::timestamptz[], ${heads.map(({ deleted }) => deleted)}::boolean[],
    ${heads.map(({ hashes }) => `{${hashes.join()}}`)}::text[], ${heads.map(({ sharedKey }) => sharedKey)}::bigint[]
  ) as n (key, type, id, version, last_updated, deleted, hashes, shared_key)`
}

const sortedByKey = (heads: readonly NewHead[]) =>
  heads.toSorted((some, other) => (BigInt(some.key) < BigInt(other.key) ? -1 : 1))
