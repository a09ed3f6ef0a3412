import { Batcher } from '../../../packages/sql/batcher.ts'
import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { AccessRequest } from '../access-request.ts'
import type { DecidingRecord } from '../record/consent-record.ts'

type Wanted = Pick<AccessRequest, 'patientId' | 'actorReferences'>

/** The records that may have a say in a decision, read for everybody who asks at the same moment in one query. */
export class CandidateReader {
  readonly #batcher: Batcher<Wanted, readonly DecidingRecord[]>

  constructor(database: Queryable, options: { readonly batchMax?: number } = {}) {
    this.#batcher = new Batcher({
      write: (wanted) => readCandidates(wanted, database),
      batchMax: options.batchMax ?? 200,
      writers: 2,
    })
  }

  read(wanted: Wanted): Promise<readonly DecidingRecord[]> {
    return this.#batcher.submit(wanted)
  }

  close(): Promise<void> {
    return this.#batcher.close()
  }
}

/** For each of the wanted the records of its patient, and the domain policies, for all actors or one of its own. */
export async function readCandidates(
  wanted: readonly Wanted[],
  on: Queryable,
): Promise<readonly (readonly DecidingRecord[])[]> {
  const patients = [...new Set(wanted.map(({ patientId }) => patientId))]
  const actors = [...new Set(wanted.flatMap(({ actorReferences }) => actorReferences))]
  const rows = await on.many<Row>(sql`
    select r.status, ${columns} from consent.records r
    where r.patient_id = any (${patients}::text[])
      and (r.actor_reference is null or r.actor_reference = any (${actors}::text[]))
    union all
    select r.status, ${columns} from consent.records r
    where r.is_domain_policy and (r.actor_reference is null or r.actor_reference = any (${actors}::text[]))`)
  const byPatient = Map.groupBy(rows.map(asRecord), ({ patientId }) => patientId)
  const policies = byPatient.get(null) ?? []
  return wanted.map(({ patientId, actorReferences }) =>
    [...(byPatient.get(patientId) ?? []), ...policies].filter(
      ({ actorReference }) => actorReference === null || actorReferences.includes(actorReference),
    ),
  )
}

/** The same for one question, as things stood at the end of a day: the records of then, with the status of then. */
export async function readCandidatesAsOf(
  { patientId, actorReferences }: Wanted,
  { day, timeZone }: { readonly day: string; readonly timeZone: string },
  on: Queryable,
): Promise<readonly DecidingRecord[]> {
  const rows = await on.many<Row>(sql`
    select ${columns},
      case when (r.revoked_at at time zone ${timeZone})::date > ${day}::date then 'active' else r.status end as status
    from consent.records r
    where (r.patient_id = ${patientId} or r.is_domain_policy)
      and (r.actor_reference is null or r.actor_reference = any (${actorReferences}::text[]))
      and (r.created_at at time zone ${timeZone})::date <= ${day}::date`)
  return rows.map(asRecord)
}

const columns = sql`
  r.id, r.patient_id as "patientId", r.actor_reference as "actorReference", r.provision_type as "provisionType",
  r.resource_classes as "resourceClasses", r.scope_values as "scopeValues",
  r.permitted_operations as "permittedOperations", r.period_start as "periodStart", r.period_end as "periodEnd",
  r.purposes, r.regulatory_basis as "regulatoryBasis", r.is_domain_policy as "isDomainPolicy",
  r.updated_at as "updatedAt"`

/** A bigint comes as text. */
type Row = Omit<DecidingRecord, 'id'> & { readonly id: string }

const asRecord = (row: Row): DecidingRecord => ({ ...row, id: Number(row.id) })
