import type { Queryable } from '../../../packages/sql/queryable.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { Key } from './keys.ts'

interface ReferringPage {
  readonly target: Key
  /** Keys of the parameters under which it is looked for. */
  readonly params: readonly number[]
  /** The keys after this one, in their order. */
  readonly after: Key | undefined
  readonly limit: number
}

/** What refers to a resource, key by key. For the platform's own work: no condition is applied. */
export async function referringKeys({ target, params, after, limit }: ReferringPage, on: Queryable): Promise<Key[]> {
  const rows = await on.many<{ key: Key }>(sql`
    select distinct x.key from fhir.reference_values as x
    where x.target = ${target}::bigint and x.param = any (${params}::int[])
      and (${after ?? null}::bigint is null or x.key > ${after ?? null}::bigint)
    order by x.key limit ${limit}`)
  return rows.map(({ key }) => key)
}
