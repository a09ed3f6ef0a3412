import { Batcher } from '../../../packages/sql/batcher.ts'
import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { AccessRequest } from '../access-request.ts'
import type { ConsentRecord } from '../record/consent-record.ts'
import { asRecord, recordColumns, type RecordRow } from './records.ts'

type Wanted = Pick<AccessRequest, 'patientId' | 'actorReferences'>

/** The records that may have a say in a decision, read for everybody who asks at the same moment in one query. */
export class CandidateReader {
  readonly #batcher: Batcher<Wanted, readonly ConsentRecord[]>

  constructor(database: Queryable, options: { readonly batchMax?: number } = {}) {
    this.#batcher = new Batcher({
      write: (wanted) => readCandidates(wanted, database),
      batchMax: options.batchMax ?? 200,
      writers: 2,
    })
  }

  read(wanted: Wanted): Promise<readonly ConsentRecord[]> {
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
): Promise<readonly (readonly ConsentRecord[])[]> {
  const patients = [...new Set(wanted.map(({ patientId }) => patientId))]
  const actors = [...new Set(wanted.flatMap(({ actorReferences }) => actorReferences))]
  const rows = await on.many<RecordRow>(sql`
    select ${recordColumns} from consent.records r
    where r.patient_id = any (${patients}::text[])
      and (r.actor_reference is null or r.actor_reference = any (${actors}::text[]))
    union all
    select ${recordColumns} from consent.records r
    where r.is_domain_policy and (r.actor_reference is null or r.actor_reference = any (${actors}::text[]))`)
  const byPatient = Map.groupBy(rows.map(asRecord), ({ patientId }) => patientId)
  const policies = byPatient.get(null) ?? []
  return wanted.map(({ patientId, actorReferences }) =>
    [...(byPatient.get(patientId) ?? []), ...policies].filter(
      ({ actorReference }) => actorReference === null || actorReferences.includes(actorReference),
    ),
  )
}
