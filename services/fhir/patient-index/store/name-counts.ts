import type { Queryable } from '../../../../packages/sql/queryable.ts'
import { sql } from '../../../../packages/sql/sql.ts'
import { commonCountMin, type NameCount } from '../name-frequency.ts'

interface NameCounts {
  readonly counts: readonly NameCount[]
  readonly people: number
}

interface Sampling {
  /** From so many people on a sample is counted: of ten millions the whole takes longer than a statement may. */
  readonly fromPeople: number
  readonly samplePeople: number
}

/** A name on the border of what is worth keeping is borne by some 25 of the sample: its bits are known to a third. */
const defaultSampling: Sampling = { fromPeople: 500_000, samplePeople: 100_000 }

/** The names that are common enough to be worth less than the most, and how many people there are. */
export async function countNames(on: Queryable, sampling = defaultSampling): Promise<NameCounts> {
  // What the database believes since it last looked; below zero where it never has.
  const { believed } = await on.one<{ believed: number }>(sql`
    select reltuples::double precision as believed from pg_class where oid = 'fhir.index_people'::regclass`)
  return believed < sampling.fromPeople ? countAll(on) : countSample(on, believed, sampling)
}

async function countAll(on: Queryable): Promise<NameCounts> {
  const { people } = await on.one<{ people: number }>(sql`
    select count(*)::integer as people from fhir.index_people`)
  const rows = await on.many<CountedPart>(sql`
    select part, count(*)::integer as count from fhir.index_people cross join lateral unnest(name_parts) as n (part)
    group by part having count(*) > ${commonCountMin(people)}`)
  return { counts: rows.map(nameCountOf), people }
}

/** Whole pages of the table, by chance: only these are read. */
async function countSample(on: Queryable, people: number, { samplePeople }: Sampling): Promise<NameCounts> {
  const share = samplePeople / people
  // Once is chance: the only bearer of a name stands for nobody else.
  const countMin = Math.max(1, Math.floor(commonCountMin(people) * share))
  const rows = await on.many<CountedPart & { readonly sampled: number }>(sql`
    with sample as materialized (
      select name_parts from fhir.index_people tablesample system (${100 * share}::real)
    )
    select part, count(*)::integer as count, (select count(*) from sample)::integer as sampled
    from sample cross join lateral unnest(name_parts) as n (part)
    group by part having count(*) > ${countMin}`)
  return {
    counts: rows.map(({ sampled, ...row }) =>
      nameCountOf({ ...row, count: Math.round((row.count * people) / sampled) }),
    ),
    people,
  }
}

interface CountedPart {
  readonly part: string
  readonly count: number
}

/** `family diallo` */
function nameCountOf({ part, count }: CountedPart): NameCount {
  const space = part.indexOf(' ')
  return { kind: part.startsWith('family') ? 'family' : 'given', name: part.slice(space + 1), count }
}
