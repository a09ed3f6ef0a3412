import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { survivorId } from '../../../ports/patient-index/merges/merge-table.ts'
import type { DecidingRecord } from '../record/consent-record.ts'
import { mergeTables } from './merged-patients.ts'

/** A record that may decide for a patient, in one of its versions. */
export interface RecordWithASay extends DecidingRecord {
  readonly version: number
}

/** Every record that may have a say about a patient, whoever asks: their own and the domain policies. */
export async function recordsWithASay(patientId: string | null, on: Queryable): Promise<RecordWithASay[]> {
  const rows = await on.many<Omit<RecordWithASay, 'id' | 'version'> & { id: string; version: string }>(sql`
    select r.id, r.version, r.patient_id as "patientId", r.actor_reference as "actorReference",
      r.provision_type as "provisionType", r.resource_classes as "resourceClasses", r.scope_values as "scopeValues",
      r.permitted_operations as "permittedOperations", r.period_start as "periodStart", r.period_end as "periodEnd",
      r.purposes, r.regulatory_basis as "regulatoryBasis", r.status, r.is_domain_policy as "isDomainPolicy",
      r.updated_at as "updatedAt"
    from consent.records r
    where (r.patient_id = ${survivorId(patientId, mergeTables)} or r.is_domain_policy) and r.status = 'active' order by r.id`)
  return rows.map((row) => ({ ...row, id: Number(row.id), version: Number(row.version) }))
}
