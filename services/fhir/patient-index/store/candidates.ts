import type { Queryable, Transaction } from '../../../../packages/sql/queryable.ts'
import { kept, sql, type Statement } from '../../../../packages/sql/sql.ts'
import { hash64 } from '../../store/keys.ts'
import { claimStatements } from '../../store/resolve.ts'
import { nameKeyBegin } from '../blocking-keys.ts'
import type { Person } from '../person.ts'
import type { Candidate } from '../rank.ts'

export interface Candidates {
  readonly found: readonly Candidate[]
  /** A key is shared by more records than are looked at. */
  readonly isTruncated: boolean
}

/** The phone of an institution or the birthday of a thousand people tells little; their bearers have other keys. */
const perKeyMax = 200

/** Whom to look for: by blocking keys. */
export interface Asked {
  readonly keys: readonly string[]
  /** Names alone bring nobody who was born in another year, in another month and on another day of it than this. */
  readonly born?: string | undefined
}

/** The records that share a key with each of the asked, in one query for all of them. */
export async function findCandidates(asked: readonly Asked[], on: Queryable): Promise<readonly Candidates[]> {
  return candidatesIn(asked, await on.many<Row>(lookingFor(asked)))
}

/**
 * The same, for whoever writes down those that are not found: until the transaction ends, nobody else gets an answer who
 * asks for a person with one of these keys.
 */
export async function claimCandidates(
  asked: readonly Asked[],
  now: Date,
  tx: Transaction,
): Promise<readonly Candidates[]> {
  const claims = asked.flatMap(({ keys }) => keys).map((key) => hash64(`person ${key}`))
  const answers = await tx.together([...claimStatements(claims, now), lookingFor(asked)])
  // Sound: it is what the last statement selects.
  return candidatesIn(asked, answers.at(-1) as Row[])
}

interface Row {
  readonly at: number
  readonly patientId: string
  readonly goldenId: string
  readonly person: string
  readonly full: boolean
}

function lookingFor(asked: readonly Asked[]): Statement {
  const rows = asked.flatMap(({ keys, born = null }, at) =>
    keys.map((key) => ({ at, key, born: key.startsWith(nameKeyBegin) ? born : null })),
  )
  return kept(
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
      coalesce(g.golden_id, p.golden_id) as "goldenId"
    from nearby
    cross join lateral (
      select patient_id, golden_id, person from fhir.index_people where patient_id = nearby.patient_id limit 1
    ) as p
    left join lateral (
      select golden_id from fhir.index_people where patient_id = nullif(p.golden_id, p.patient_id) limit 1
    ) as g on true`,
  )
}

const bearers = sql`
  select k.patient_id, row_number() over () as place from fhir.index_keys as k
  where k.key = asked.key and (asked.born is null or k.born is null
    or left(k.born, 4) = left(asked.born, 4) or substr(k.born, 6, 2) = substr(asked.born, 6, 2)
    or right(k.born, 2) = right(asked.born, 2))
  limit ${perKeyMax + 1}`

function candidatesIn(asked: readonly Asked[], rows: readonly Row[]): readonly Candidates[] {
  const answers = asked.map(() => ({ found: [] as Candidate[], isTruncated: false }))
  for (const { at, patientId, goldenId, person, full } of rows) {
    const answer = answers[at]
    if (answer === undefined) continue
    // Sound: this folder wrote it in this shape.
    answer.found.push({ patientId, goldenId, person: JSON.parse(person) as Person })
    answer.isTruncated ||= full
  }
  return answers
}
