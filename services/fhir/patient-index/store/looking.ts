import { kept, sql, type Statement } from '../../../../packages/sql/sql.ts'
import { mergesMax } from '../../../../ports/patient-index/merge-trail.ts'
import { nameKeyBegin } from '../blocking-keys.ts'

/** Whom to look for: by blocking keys. */
export interface Asked {
  readonly keys: readonly string[]
  /** Names alone bring nobody who was born in another year, in another month and on another day of it than this. */
  readonly born?: string | undefined
}

export interface CandidateRow {
  readonly at: number
  readonly patientId: string
  /** Found in two steps at most. */
  readonly goldenId: string
  /** That one belongs to yet another. */
  readonly goesOn: boolean
  /** Records that were golden until they were merged into one of these; null where none was. */
  readonly goldenBefore: readonly string[] | null
  readonly person: string
  readonly full: boolean
}

/** The questions to the index, of everybody or of those who may be seen. */
export interface Looking {
  for(asked: readonly Asked[]): Statement
  /** Where the merges lead that go on from these ids. */
  goingOnFrom(ids: readonly string[]): Statement
}

/** The phone of an institution or the birthday of a thousand people tells little; their bearers have other keys. */
const perKeyMax = 200

export const amongAll: Looking = among(() => sql``, kept)

/** Not kept: the text hangs on whoever asks. A golden record that waits for its first record is nobody to see. */
export const amongSeen = (reach: Statement): Looking =>
  among(
    // Not "exists": a planner would make a join of it, and the key of everybody in the index.
    (id) => sql`and (
      select true from fhir.index_people as seen join fhir.resources as r on r.key = ${keyOfSeen}
      where seen.patient_id = ${id} and not seen.provisional and not r.deleted and ${reach} limit 1)`,
    (_name, statement) => statement,
  )

/** As `resourceKey` makes it. */
const keyOfSeen = sql`
  ('x' || left(encode(sha256(convert_to('Patient/' || seen.patient_id, 'UTF8')), 'hex'), 16))::bit(64)::bigint`

/** @param ifSeen narrows a query of the index to the ids that may be seen. */
function among(ifSeen: (id: Statement) => Statement, prepared: typeof kept): Looking {
  const bearers = sql`
    select k.patient_id, row_number() over () as place from fhir.index_keys as k
    where k.key = asked.key and (asked.born is null or k.born is null
      or left(k.born, 4) = left(asked.born, 4) or substr(k.born, 6, 2) = substr(asked.born, 6, 2)
      or right(k.born, 2) = right(asked.born, 2)) ${ifSeen(sql`k.patient_id`)}
    limit ${perKeyMax + 1}`
  const goldenOf = (id: Statement) => sql`
    select i.golden_id from fhir.index_people as i where i.patient_id = ${id} ${ifSeen(sql`i.patient_id`)} limit 1`
  const golden = goldenOf(sql`nullif(p.golden_id, p.patient_id)`)
  const further = sql`
    select from fhir.index_people as i
    where i.patient_id = g.golden_id and i.golden_id <> g.golden_id ${ifSeen(sql`i.patient_id`)}`
  // An index has nobody else, so that the many to whom it has not happened cost a look into an empty one.
  const before = sql`
    select array_agg(i.patient_id order by i.patient_id) from fhir.index_people as i
    where i.was_golden and i.golden_id in (p.golden_id, g.golden_id) ${ifSeen(sql`i.patient_id`)}`
  const next = goldenOf(sql`trail.id`)
  return {
    for(asked) {
      const rows = asked.flatMap(({ keys, born = null }, at) =>
        keys.map((key) => ({ at, key, born: key.startsWith(nameKeyBegin) ? born : null })),
      )
      return prepared(
        'fhir_candidates',
        sql`
        with nearby as (
          select asked.at, hit.patient_id, max(hit.place) > ${perKeyMax} as full
          from unnest(
            ${rows.map(({ at }) => at)}::integer[], ${rows.map(({ key }) => key)}::text[],
            ${rows.map(({ born }) => born)}::text[]
          ) as asked (at, key, born)
          cross join lateral (${bearers}) as hit
          group by asked.at, hit.patient_id
        )
        select nearby.at, nearby.full, p.patient_id as "patientId", p.person,
          coalesce(g.golden_id, p.golden_id) as "goldenId",
          case when g.golden_id <> p.golden_id then exists (${further}) else false end as "goesOn",
          (${before}) as "goldenBefore"
        from nearby
        cross join lateral (
          select patient_id, golden_id, person from fhir.index_people where patient_id = nearby.patient_id limit 1
        ) as p
        left join lateral (${golden}) as g on true`,
      )
    },
    goingOnFrom: (ids) =>
      prepared(
        'fhir_golden_trails',
        sql`
        with recursive trail (start, id, step) as (
          select one.id collate "C", one.id collate "C", 2 from unnest(${ids}::text[]) as one (id)
          union all
          select trail.start, next.golden_id, trail.step + 1 from trail
          cross join lateral (${next}) as next
          where trail.step < ${mergesMax} and next.golden_id <> trail.id
        )
        select distinct on (start) start, id as "goldenId" from trail order by start, step desc`,
      ),
  }
}
