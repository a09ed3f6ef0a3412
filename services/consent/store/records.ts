import type { Queryable } from '../../../packages/sql/database.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import { survivorId, type Merge } from '../../../ports/patient-index/merges/merge-table.ts'
import type { ConsentRecord, ConsentTerms } from '../record/consent-record.ts'
import { mergeTables } from './merged-patients.ts'

/** Who may see and change a record: administrators, whoever made it, and the organisation that it belongs to. */
type Owner = Pick<Caller, 'subject' | 'organisation' | 'roles'>

const ownedBy = ({ subject, organisation, roles }: Owner): Statement => sql`
  (${roles.has('ADMIN')} or r.created_by = ${subject} or r.organisation_id = ${organisation ?? null})`

const recordColumns = sql`
  r.id, r.version, r.fhir_consent_id as "fhirConsentId", r.patient_id as "patientId",
  r.actor_reference as "actorReference", r.provision_type as "provisionType", r.resource_classes as "resourceClasses",
  r.classes_follow as "classesFollow", r.scope_values as "scopeValues", r.permitted_operations as "permittedOperations", r.period_start as "periodStart",
  r.period_end as "periodEnd", r.scope_context as "scopeContext", r.purposes, r.regulatory_basis as "regulatoryBasis",
  r.note, r.organisation_id as "organisationId", r.status, r.is_domain_policy as "isDomainPolicy",
  r.created_by as "createdBy", r.created_at as "createdAt", r.updated_at as "updatedAt", r.revoked_at as "revokedAt"`

/** A bigint comes as text. */
type RecordRow = Omit<ConsentRecord, 'id' | 'version'> & { readonly id: string; readonly version: string }

const asRecord = (row: RecordRow): ConsentRecord => ({
  ...row,
  id: Number(row.id),
  version: Number(row.version),
})

const maybeRecord = (row: RecordRow | undefined) => (row === undefined ? undefined : asRecord(row))

/** A record of another owner is as absent as one that never was. */
export async function findRecord(id: number, owner: Owner, on: Queryable): Promise<ConsentRecord | undefined> {
  return maybeRecord(
    await on.maybe(sql`select ${recordColumns} from consent.records r where r.id = ${id} and ${ownedBy(owner)}`),
  )
}

export async function findRecordByFhirId(
  fhirId: string,
  owner: Owner,
  on: Queryable,
): Promise<ConsentRecord | undefined> {
  return maybeRecord(
    await on.maybe(sql`
      select ${recordColumns} from consent.records r where r.fhir_consent_id = ${fhirId} and ${ownedBy(owner)}`),
  )
}

/** For the projection into the FHIR store, which asks for nobody. */
export async function loadRecord(id: number, on: Queryable): Promise<ConsentRecord | undefined> {
  return maybeRecord(await on.maybe(sql`select ${recordColumns} from consent.records r where r.id = ${id}`))
}

/** Newest first; only those that hold on the given day, where one is given. */
export async function recordsOfPatient(
  patientId: string,
  activeOn: string | undefined,
  on: Queryable,
): Promise<ConsentRecord[]> {
  const holds =
    activeOn === undefined
      ? sql`true`
      : sql`r.status = 'active' and (r.period_start is null or r.period_start <= ${activeOn}::date)
          and (r.period_end is null or r.period_end >= ${activeOn}::date)`
  const rows = await on.many<RecordRow>(sql`
    select ${recordColumns} from consent.records r
    where r.patient_id = ${survivorId(patientId, mergeTables)} and ${holds}
    order by r.created_at desc, r.id desc`)
  return rows.map(asRecord)
}

export async function pageOfOrganisation(
  organisationId: string,
  part: { readonly offset: number; readonly size: number },
  on: Queryable,
): Promise<{ readonly records: ConsentRecord[]; readonly total: number }> {
  const { total } = await on.one<{ total: string }>(
    sql`select count(*) as total from consent.records r where r.organisation_id = ${organisationId}`,
  )
  const rows = await on.many<RecordRow>(sql`
    select ${recordColumns} from consent.records r where r.organisation_id = ${organisationId}
    order by r.created_at desc, r.id desc limit ${part.size} offset ${part.offset}`)
  return { records: rows.map(asRecord), total: Number(total) }
}

/** All that name the one name the other from now on, and say since when. */
export async function moveRecords({ from, to }: Merge, now: Date, on: Queryable): Promise<ConsentRecord[]> {
  const noteLine = `Moved ${now.toISOString()} from ${from}, who was merged into ${to}`
  const rows = await on.many<RecordRow>(sql`
    update consent.records r set version = r.version + 1, patient_id = ${to}, updated_at = ${now},
      note = concat_ws(E'\\n', nullif(r.note, ''), ${noteLine}::text)
    where r.patient_id = ${from}
    returning ${recordColumns}`)
  return rows.map(asRecord)
}

/** False when a record with this FHIR id is there already. */
export async function insertRecord(record: ConsentRecord, on: Queryable): Promise<boolean> {
  const added = await on.run(sql`
    insert into consent.records (id, version, fhir_consent_id, patient_id, actor_reference, provision_type,
      resource_classes, classes_follow, scope_values, permitted_operations, period_start, period_end, scope_context, purposes,
      regulatory_basis, note, organisation_id, status, is_domain_policy, created_by, created_at, updated_at, revoked_at)
    values (${record.id}, ${record.version}, ${record.fhirConsentId}, ${record.patientId}, ${record.actorReference},
      ${record.provisionType}, ${record.resourceClasses}::text[], ${record.classesFollow}, ${record.scopeValues}::text[],
      ${record.permittedOperations}, ${record.periodStart}, ${record.periodEnd}, ${record.scopeContext},
      ${record.purposes}::text[], ${record.regulatoryBasis}, ${record.note}, ${record.organisationId}, ${record.status},
      ${record.isDomainPolicy}, ${record.createdBy}, ${record.createdAt}, ${record.updatedAt}, ${record.revokedAt})
    on conflict (fhir_consent_id) do nothing`)
  return added === 1
}

/** Undefined when the record is no longer the version that the change was made from. */
export async function updateRecord(
  change: { readonly id: number; readonly version: number; readonly terms: ConsentTerms; readonly now: Date },
  owner: Owner,
  on: Queryable,
): Promise<ConsentRecord | undefined> {
  const { id, version, terms, now } = change
  const row = await on.maybe<RecordRow>(sql`
    update consent.records r set version = r.version + 1, actor_reference = ${terms.actorReference},
      provision_type = ${terms.provisionType}, resource_classes = ${terms.resourceClasses}::text[],
      classes_follow = ${terms.classesFollow}, scope_values = ${terms.scopeValues}::text[], permitted_operations = ${terms.permittedOperations},
      period_start = ${terms.periodStart}, period_end = ${terms.periodEnd}, scope_context = ${terms.scopeContext},
      purposes = ${terms.purposes}::text[], regulatory_basis = ${terms.regulatoryBasis}, note = ${terms.note},
      updated_at = ${now}
    where r.id = ${id} and r.version = ${version} and r.status = 'active' and ${ownedBy(owner)}
    returning ${recordColumns}`)
  return maybeRecord(row)
}

/** The line is added to whatever note the record has at that moment. Undefined when it is not that version, or inactive. */
export async function deactivateRecord(
  revocation: { readonly id: number; readonly version: number; readonly noteLine: string; readonly now: Date },
  owner: Owner,
  on: Queryable,
): Promise<ConsentRecord | undefined> {
  const { id, version, noteLine, now } = revocation
  const row = await on.maybe<RecordRow>(sql`
    update consent.records r set version = r.version + 1, status = 'inactive', revoked_at = ${now}, updated_at = ${now},
      note = concat_ws(E'\\n', nullif(r.note, ''), ${noteLine}::text)
    where r.id = ${id} and r.version = ${version} and r.status = 'active' and ${ownedBy(owner)}
    returning ${recordColumns}`)
  return maybeRecord(row)
}
