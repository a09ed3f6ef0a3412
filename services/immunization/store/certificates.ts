import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'

/** Remembers for whom a certificate was made, so that a printed one can be looked up by its id. */
export async function addCertificate(
  certificate: { readonly uvci: string; readonly patientId: string; readonly subject: string | null },
  now: Date,
  on: Queryable,
): Promise<void> {
  const { uvci, patientId, subject } = certificate
  await on.run(sql`
    insert into immunization.certificates (uvci, patient_id, subject, issued_at)
    values (${uvci}, ${patientId}, ${subject}, ${now})`)
}
