import type { Transaction } from '../../../../packages/sql/queryable.ts'
import { sql } from '../../../../packages/sql/sql.ts'

/** Takes out what a resource of the record had brought in. */
export async function forgetStored(type: string, id: string, tx: Transaction): Promise<void> {
  const gone = await tx.maybe<{ url: string }>(sql`
    delete from fhir.terminology_resources where type = ${type} and resource_id = ${id} returning url`)
  if (gone === undefined) return
  await tx.run(sql`delete from fhir.terminology_concepts where system = ${gone.url}`)
  await tx.run(sql`delete from fhir.terminology_mappings where map = ${gone.url}`)
}

export async function markStored(url: string, id: string, tx: Transaction): Promise<void> {
  await tx.run(sql`update fhir.terminology_resources set resource_id = ${id} where url = ${url}`)
}
