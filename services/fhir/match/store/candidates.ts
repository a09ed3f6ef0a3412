import type { Queryable } from '../../../../packages/sql/queryable.ts'
import { named, sql } from '../../../../packages/sql/sql.ts'
import type { Person } from '../person.ts'
import type { Candidate } from '../rank.ts'

export interface Candidates {
  readonly found: readonly Candidate[]
  /** A key is shared by more records than are looked at. */
  readonly isTruncated: boolean
}

/** The phone of an institution or the birthday of a thousand people tells little; their bearers have other keys. */
const perKeyMax = 200

/** The records that share a key with each of the asked, in one query for all of them. */
export async function findCandidates(
  asked: readonly (readonly string[])[],
  on: Queryable,
): Promise<readonly Candidates[]> {
  const rows = asked.flatMap((keys, at) => keys.map((key) => ({ at, key })))
  if (rows.length === 0) return asked.map(() => ({ found: [], isTruncated: false }))
  const found = await on.many<{ at: number; patientId: string; goldenId: string; person: string; full: boolean }>(
    // Every step is a look-up of its own, so the plan is the same for all and need not be made each time.
    named(
      'fhir_candidates',
      sql`
    with hits as (
      select asked.at, hit.patient_id, hit.place from unnest(
        ${rows.map(({ at }) => at)}::integer[], ${rows.map(({ key }) => key)}::text[]) as asked (at, key)
      cross join lateral (
        select k.patient_id, row_number() over () as place from fhir.index_keys as k
        where k.key = asked.key limit ${perKeyMax + 1}
      ) as hit
    ), nearby as (
      select at, patient_id, max(place) > ${perKeyMax} as full from hits group by at, patient_id
    )
    select nearby.at, nearby.full, p.patient_id as "patientId", p.person,
      coalesce(g.golden_id, p.golden_id) as "goldenId"
    from nearby
    cross join lateral (
      select patient_id, golden_id, person from fhir.index_people where patient_id = nearby.patient_id limit 1
    ) as p
    left join lateral (
      select golden_id from fhir.index_people where patient_id = nullif(p.golden_id, p.patient_id) limit 1
    ) as g on true`,
    ),
  )
  const answers = asked.map(() => ({ found: [] as Candidate[], isTruncated: false }))
  for (const { at, patientId, goldenId, person, full } of found) {
    const answer = answers[at]
    // Sound: this folder wrote it in this shape.
    answer?.found.push({ patientId, goldenId, person: JSON.parse(person) as Person })
    if (full && answer !== undefined) answer.isTruncated = true
  }
  return answers
}
