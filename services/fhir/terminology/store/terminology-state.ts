import type { Queryable } from '../../../../packages/sql/queryable.ts'
import { sql } from '../../../../packages/sql/sql.ts'

/**
 * Another text after whatever was loaded, written to the record or taken from it: what replaces something has a number or
 * a time of its own, which the sequence remembers, and what is gone is missing in the count.
 */
export async function terminologyState(database: Queryable): Promise<string> {
  const { state } = await database.one<{ state: string }>(sql`
    select concat_ws(' ',
      (select count(*) from fhir.recorded_terminology),
      pg_sequence_last_value(pg_get_serial_sequence('fhir.recorded_terminology', 'part')),
      (select count(*) || ' ' || coalesce(max(loaded_at)::text, '') from fhir.terminology_resources)) as state`)
  return state
}
