import type { Queryable } from '../../../../packages/sql/queryable.ts'
import { sql } from '../../../../packages/sql/sql.ts'
import { commonCountMin, type NameCount } from '../name-frequency.ts'

/** The names that are common enough to be worth less than the most, and how many people there are. */
export async function countNames(on: Queryable): Promise<{ counts: NameCount[]; people: number }> {
  const { people } = await on.one<{ people: number }>(sql`
    select count(*)::integer as people from fhir.index_people`)
  const rows = await on.many<{ part: string; count: number }>(sql`
    select part, count(*)::integer as count from fhir.index_people cross join lateral unnest(name_parts) as n (part)
    group by part having count(*) > ${commonCountMin(people)}`)
  const counts = rows.map(({ part, count }): NameCount => {
    const space = part.indexOf(' ')
    return { kind: part.startsWith('family') ? 'family' : 'given', name: part.slice(space + 1), count }
  })
  return { counts, people }
}
