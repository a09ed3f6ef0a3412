import { kept, sql, type Statement } from '../../../../packages/sql/sql.ts'
import { mergesMax } from '../../../../ports/patient-index/merge-trail.ts'
import { nameKeyBegin, type NarrowKey } from '../blocking-keys.ts'
import { listOf } from './people.ts'

/** Whom to look for: by blocking keys. */
export interface Asked {
  readonly keys: readonly string[]
  /** Names alone bring nobody who was born in another year, in another month and on another day of it than this. */
  readonly born?: string | undefined
}

/** Where keys of somebody have more bearers than are looked at. */
export interface AskedOfRivals {
  /** Of the one who is asked for, as in `CandidateRow`. */
  readonly at: number
  readonly narrow: readonly NarrowKey[]
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
  /** Keys that more have than are looked at; null for nearly all. */
  readonly cut: readonly string[] | null
}

/** The questions to the index, of everybody or of those who may be seen. */
export interface Looking {
  for(asked: readonly Asked[]): Statement
  /** Those of the bearers of common keys who count (`keysOfRivals`). */
  ofRivals(asked: readonly AskedOfRivals[]): Statement
  /** Where the merges lead that go on from these ids. */
  goingOnFrom(ids: readonly string[]): Statement
}

/** The phone of an institution or the birthday of a thousand people tells little; their bearers have other keys. */
const perKeyMax = 200

/** Of the bearers of a key so many are seen through for those who have another one as well: a day has no more births. */
const seenThroughMax = 20_000

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
  // By the index of names and days, whose condition the planner must find word by word; day by day, for it would read all who
  // bear the names and compare each with a list of days.
  const named = (isMeant: Statement) => sql`
    select k.patient_id, 0::bigint as seen from fhir.index_keys as k
    where asked.also is null and k.key = asked.key and k.key >= 'n|' and k.key < 'n}' and k.born ${isMeant}
      ${ifSeen(sql`k.patient_id`)}
    limit ${perKeyMax + 1}`
  const ofNearDays = sql`
    select hit.patient_id, hit.seen from unnest(asked.days::text[]) as near (day)
    cross join lateral (${named(sql`= near.day`)}) as hit limit ${perKeyMax + 1}`
  // Not "exists": a planner would read all who have the other key, which may be ten times as many.
  const ofBoth = sql`
    select one.patient_id, one.seen from (
      select k.patient_id, row_number() over () as seen from fhir.index_keys as k
      where asked.also is not null and k.key = asked.key ${ifSeen(sql`k.patient_id`)}
      limit ${seenThroughMax + 1}
    ) as one
    where one.seen > ${seenThroughMax} or (
      select true from fhir.index_keys as k where k.key = asked.also and k.patient_id = one.patient_id limit 1)
    limit ${perKeyMax + 1}`
  const rivals = sql`(${ofNearDays}) union all (${named(sql`is null`)}) union all (${ofBoth})`
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
  const candidates = sql`
    select nearby.at, nearby.cut, p.patient_id as "patientId", p.person,
      coalesce(g.golden_id, p.golden_id) as "goldenId",
      case when g.golden_id <> p.golden_id then exists (${further}) else false end as "goesOn",
      (${before}) as "goldenBefore"
    from nearby
    cross join lateral (
      select patient_id, golden_id, person from fhir.index_people where patient_id = nearby.patient_id limit 1
    ) as p
    left join lateral (${golden}) as g on true`
  return {
    for(asked) {
      const rows = asked.flatMap(({ keys, born = null }, at) =>
        keys.map((key) => ({ at, key, born: key.startsWith(nameKeyBegin) ? born : null })),
      )
      return prepared(
        'fhir_candidates',
        sql`
        with nearby as (
          select asked.at, hit.patient_id, array_agg(asked.key) filter (where hit.place > ${perKeyMax}) as cut
          from unnest(
            ${rows.map(({ at }) => at)}::integer[], ${rows.map(({ key }) => key)}::text[],
            ${rows.map(({ born }) => born)}::text[]
          ) as asked (at, key, born)
          cross join lateral (${bearers}) as hit
          group by asked.at, hit.patient_id
        ) ${candidates}`,
      )
    },
    ofRivals(asked) {
      const rows = asked.flatMap(({ at, narrow }) => narrow.map((one) => ({ at, also: null, days: null, ...one })))
      return prepared(
        'fhir_rivals',
        sql`
        with hits as (
          select asked.at, asked.key, hit.patient_id, hit.seen, row_number() over (partition by asked.at, asked.key, asked.also) as place
          from unnest(
            ${rows.map(({ at }) => at)}::integer[], ${rows.map(({ key }) => key)}::text[],
            ${rows.map(({ also }) => also)}::text[], ${rows.map(({ days }) => days && listOf(days))}::text[]
          ) as asked (at, key, also, days)
          cross join lateral (${rivals}) as hit
        ), nearby as (
          select at, patient_id,
            array_agg(key) filter (where place > ${perKeyMax} or seen > ${seenThroughMax}) as cut
          from hits group by at, patient_id
        ) ${candidates}`,
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
