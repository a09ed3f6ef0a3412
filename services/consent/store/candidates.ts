import { Batcher } from '../../../packages/sql/batcher.ts'
import type { Database, Queryable } from '../../../packages/sql/database.ts'
import { kept, sql, type Statement } from '../../../packages/sql/sql.ts'
import { survivorId } from '../../../ports/patient-index/merges/merge-table.ts'
import type { AccessRequest } from '../access-request.ts'
import type { DecidingRecord } from '../record/consent-record.ts'
import { mergeTables } from './merged-patients.ts'

type Wanted = Pick<AccessRequest, 'patientId' | 'actorReferences'>

/** The records that may have a say in a decision, read for everybody who asks at the same moment in one query. */
export class CandidateReader {
  readonly #batcher: Batcher<Wanted, readonly DecidingRecord[]>

  constructor(database: Pick<Database, 'transaction'>, options: { readonly batchMax?: number } = {}) {
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

/**
 * For each of the wanted the records of its patient, and the domain policies, for all actors or one of its own. Those of
 * somebody who was merged are the survivor's, and are given as of the patient who was asked about.
 */
export async function readCandidates(
  wanted: readonly Wanted[],
  database: Pick<Database, 'transaction'>,
): Promise<readonly (readonly DecidingRecord[])[]> {
  // With a plan that is kept: planning costs more than the look-ups, and for many questions goes for hash joins.
  const [rows = []] = await database.transaction((tx) => tx.commitWith([candidatesOf(wanted)]), { plans: 'kept' })
  // Sound: it is what the statement selects.
  const [answer] = rows as { readonly found: readonly Found[] | null }[]
  const byPlace = Map.groupBy(answer?.found ?? [], ({ place }) => place)
  const policies = (byPlace.get(null) ?? []).map(asFound)
  return wanted.map(({ actorReferences }, at) => [
    ...(byPlace.get(at + 1) ?? []).map(asFound),
    ...policies.filter(({ actorReference }) => actorReference === null || actorReferences.includes(actorReference)),
  ])
}

/** As one JSON value: the driver reads it many times faster than rows of many columns. */
function candidatesOf(wanted: readonly Wanted[]): Statement {
  const actors = [...new Set(wanted.flatMap(({ actorReferences }) => actorReferences))]
  return kept(
    'consent-candidates',
    sql`
    select json_agg(c) as found from (
      select w.place, r.status, w.patient_id as "patientId", ${foundColumns}
      from unnest(${wanted.map(({ patientId }) => patientId)}::text[],
        ${wanted.map(({ actorReferences }) => actorReferences.join(' '))}::text[])
        with ordinality as w (patient_id, actors, place)
      left join consent.merged_patients m on m.patient_id = w.patient_id
      join consent.records r on r.patient_id = coalesce(m.survivor_id, w.patient_id)
        and (r.actor_reference is null or r.actor_reference = any (string_to_array(w.actors, ' ')))
      union all
      select null, r.status, null, ${foundColumns} from consent.records r
      where r.is_domain_policy and (r.actor_reference is null or r.actor_reference = any (${actors}::text[]))
    ) c`,
  )
}

/** The same for one question, as things stood at the end of a day: the records of then, with the status of then. */
export async function readCandidatesAsOf(
  { patientId, actorReferences }: Wanted,
  { day, timeZone }: { readonly day: string; readonly timeZone: string },
  on: Queryable,
): Promise<readonly DecidingRecord[]> {
  const rows = await on.many<Row>(sql`
    select ${columns}, case when r.patient_id is null then null else ${patientId}::text end as "patientId",
      case when (r.revoked_at at time zone ${timeZone})::date > ${day}::date then 'active' else r.status end as status
    from consent.records r
    where (r.patient_id = ${survivorId(patientId, mergeTables)} or r.is_domain_policy)
      and (r.actor_reference is null or r.actor_reference = any (${actorReferences}::text[]))
      and (r.created_at at time zone ${timeZone})::date <= ${day}::date`)
  return rows.map(asRecord)
}

const sharedColumns = sql`
  r.id, r.actor_reference as "actorReference", r.provision_type as "provisionType",
  r.resource_classes as "resourceClasses", r.scope_values as "scopeValues",
  r.permitted_operations as "permittedOperations", r.period_start as "periodStart", r.period_end as "periodEnd",
  r.purposes, r.regulatory_basis as "regulatoryBasis", r.is_domain_policy as "isDomainPolicy"`

const columns = sql`${sharedColumns}, r.updated_at as "updatedAt"`

/** JSON has no times; milliseconds need no reading. */
const foundColumns = sql`${sharedColumns}, (extract(epoch from r.updated_at) * 1000)::float8 as "updatedAt"`

type Found = Omit<DecidingRecord, 'updatedAt'> & {
  readonly updatedAt: number
  /** Whose it is of those wanted, counted from one; null for a policy. */
  readonly place: number | null
}

const asFound = ({ place: _place, updatedAt, ...record }: Found): DecidingRecord => ({
  ...record,
  updatedAt: new Date(updatedAt),
})

/** A bigint comes as text. */
type Row = Omit<DecidingRecord, 'id'> & { readonly id: string }

const asRecord = (row: Row): DecidingRecord => ({ ...row, id: Number(row.id) })
