import type { Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { Senders } from '../crowd/senders.ts'

interface Histories {
  /** The patient's names as the store has seen them, oldest first, and as they were acknowledged. */
  readonly found: readonly (readonly string[])[]
  readonly wanted: readonly (readonly string[])[]
  readonly figures: { readonly histories: number; readonly lost: number; readonly twice: number }
}

/** Every version of every patient, beside what the senders were told. */
export async function historiesOf(senders: Senders, database: Database): Promise<Histories> {
  const rows = await database.many<{ names: string[] | null }>(sql`
    select (select array_agg(v.content::jsonb #>> '{name,0,given,0}' order by v.version) from fhir.versions v
        where v.type = 'Patient' and v.content like '%"DOE"%' and v.content like '%"' || patient.value || '"%') as names
    from unnest(${senders.patients}::text[]) with ordinality as patient (value, place) order by place`)
  const found = rows.map(({ names }) => names ?? [])
  const wanted = senders.each.map(({ acknowledged }) => Array.from({ length: acknowledged }, (_, at) => `N${at + 1}`))
  const lost = total(wanted.map((names, at) => names.length - new Set(found[at]).size))
  const twice = total(found.map((names) => names.length - new Set(names).size))
  return { found, wanted, figures: { histories: senders.acknowledged, lost, twice } }
}

/** Of identifiers that several wrote at the same time: how many there are, and how many of them more than once. */
export async function writtenOnce(database: Database): Promise<{ readonly count: number; readonly twice: number }> {
  const rows = await database.many<{ count: number }>(sql`
    select count(*)::int as count from fhir.versions
    where type = 'Observation' and content like '%urn:written-once%' group by content::jsonb -> 'identifier'`)
  return { count: rows.length, twice: rows.filter(({ count }) => count > 1).length }
}

const total = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
