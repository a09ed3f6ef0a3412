import { kitMigrations, migrate } from '../../packages/sql/migrate/migrate.ts'
import type { Database } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import { recordsPerPatient } from './side.ts'

const folder = new URL('../../services/consent/migrations/', import.meta.url)

export const migrateConsent = (url: string) => migrate(url, [kitMigrations, { owner: 'consent', folder }])

/** Permits and denies of many patients for forty organisations, and a domain policy for each of those. */
export async function fillRecords(database: Database, records: number): Promise<void> {
  const batch = 100_000
  for (let from = 0; from < records; from += batch) {
    await database.run(sql`
      insert into consent.records (id, version, fhir_consent_id, patient_id, actor_reference, provision_type,
        resource_classes, scope_values, permitted_operations, scope_context, purposes, organisation_id, status,
        is_domain_policy, created_by, created_at, updated_at)
      select n, 1, 'consent-' || n, 'Patient/p' || n / ${recordsPerPatient},
        case when n % 5 = 0 then null else 'Organization/o' || n % 40 end,
        case when n % 10 = 9 then 'deny' else 'permit' end,
        case when n % 3 = 0 then array['Observation', 'Condition'] else array[]::text[] end,
        case when n % 2 = 0 then array['patient/*.rs'] else array[]::text[] end,
        case when n % 2 = 0 then 'rs' else 'cruds' end,
        'patient', array[]::text[], 'Organization/o' || n % 40, 'active', false, 'bench', now(), now()
      from generate_series(${from}::bigint, ${Math.min(from + batch, records) - 1}::bigint) as n`)
  }
  await database.run(sql`
    insert into consent.records (id, version, fhir_consent_id, actor_reference, provision_type, resource_classes,
      scope_values, permitted_operations, scope_context, purposes, status, is_domain_policy, created_by, created_at,
      updated_at)
    select ${records} + n, 1, 'policy-' || n, 'Organization/o' || n, 'permit', '{}', '{system/*.rs}', 'rs', 'system', '{}',
      'active', true, 'admin', now(), now() from generate_series(0, 39) as n`)
  await database.run(sql`analyze consent.records`)
}
