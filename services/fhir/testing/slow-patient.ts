import type { Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'

/** Until it is disposed of, the database takes too long over every version of `Patient/slow`, and over nothing else. */
export async function slowPatient(database: Database): Promise<AsyncDisposable> {
  await database.run(sql`
    create function fhir.too_slow() returns trigger language plpgsql as $$
      begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$`)
  await database.run(sql`
    create trigger too_slow before insert on fhir.versions for each row
    when (new.type = 'Patient' and new.id = 'slow') execute function fhir.too_slow()`)
  return {
    async [Symbol.asyncDispose]() {
      await database.run(sql`drop trigger too_slow on fhir.versions`)
      await database.run(sql`drop function fhir.too_slow()`)
    },
  }
}
