import type { Queryable } from '../../../packages/sql/queryable.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { resourceKey, type Key } from './keys.ts'

interface CompartmentPage {
  readonly patientId: string
  /** Types that are left out, or the only ones. */
  readonly types: readonly string[]
  readonly areTypesWanted: boolean
  /** The keys after this one, in their order. */
  readonly after: Key | undefined
  readonly limit: number
}

/** What is in a patient's compartment, key by key. For the platform's own work: no condition is applied. */
export async function compartmentKeys(
  { patientId, types, areTypesWanted, after, limit }: CompartmentPage,
  on: Queryable,
): Promise<Key[]> {
  const rows = await on.many<{ key: Key }>(sql`
    select c.key from fhir.compartments as c join fhir.resources as r on r.key = c.key
    where c.patient = ${resourceKey('Patient', patientId)}::bigint
      and (${after ?? null}::bigint is null or c.key > ${after ?? null}::bigint)
      and not r.deleted and (r.type = any (${types}::text[])) = ${areTypesWanted}
    order by c.key limit ${limit}`)
  return rows.map(({ key }) => key)
}
