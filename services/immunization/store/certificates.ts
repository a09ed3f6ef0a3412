import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'

/** For whom a certificate was made, and by whom. */
interface Certificate {
  readonly uvci: string
  readonly patientId: string
  readonly subject: string | null
}

/** Remembers it, so that a printed one can be looked up by its id. */
export async function addCertificate(certificate: Certificate, now: Date, on: Queryable): Promise<void> {
  const { uvci, patientId, subject } = certificate
  await on.run(sql`
    insert into immunization.certificates (uvci, patient_id, subject, issued_at)
    values (${uvci}, ${patientId}, ${subject}, ${now})`)
}

export function findCertificate(
  uvci: string,
  on: Queryable,
): Promise<(Omit<Certificate, 'uvci'> & { readonly issuedAt: Date }) | undefined> {
  return on.maybe(sql`
    select patient_id as "patientId", subject, issued_at as "issuedAt"
    from immunization.certificates where uvci = ${uvci}`)
}
