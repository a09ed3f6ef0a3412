import { sql } from '../../../../packages/sql/sql.ts'
import { parameterKey, resourceKey } from '../../store/keys.ts'
import type { SearchLimits } from '../parse/parse-context.ts'
import { searchWorld, type SearchWorld } from './search-world.ts'

/** How many observations there are beside Amina's. */
export const others = 20_000

export const own = Array.from({ length: 50 }, (_, n) => `own-${n}`)

/** Amina's observations, all by Dr Amara, who has done everybody's: each of the others is of a patient of its own. */
export async function everybodysPractitioner(limits: Partial<SearchLimits> = {}): Promise<SearchWorld> {
  const world = await searchWorld(limits)
  const subject = { reference: 'Patient/amina' }
  const performer = [{ reference: 'Practitioner/dr-amara' }]
  await world.put(
    { resourceType: 'Organization', id: 'clinic', name: 'Clinic' },
    { resourceType: 'Practitioner', id: 'dr-amara', name: [{ family: 'Amara' }] },
    { resourceType: 'Patient', id: 'amina', managingOrganization: { reference: 'Organization/clinic' } },
    ...own.map((id) => ({
      ...{ resourceType: 'Observation', id, status: 'final', code: { text: 'x' }, subject, performer },
    })),
  )
  const { database } = world
  await database.run(sql`
    insert into fhir.resources (key, type, id, version, last_updated, deleted, index_hashes)
    select n, 'Observation', n::text, 1, timestamptz '2020-01-01' + n * interval '1 second', false, array[0::bigint]
    from generate_series(1, ${others}) as n`)
  await database.run(sql`
    insert into fhir.versions (key, version, type, id, last_updated, method, patients, content)
    select key, version, type, id, last_updated, 'PUT', '{}', '{}' from fhir.resources where key between 1 and ${others}`)
  await database.run(sql`
    insert into fhir.compartments (key, patient) select n, 1000000 + n from generate_series(1, ${others}) as n`)
  // Few refer to what is referred to on the average.
  await database.run(sql`
    insert into fhir.reference_values (key, param, seq, target)
    select n, ${parameterKey('Observation', 'performer')}::integer, 0, ${resourceKey('Practitioner', 'dr-amara')}::bigint
    from generate_series(1, ${others}) as n
    union all
    select 1000000 + n, ${parameterKey('Patient', 'organization')}::integer, 0, ${resourceKey('Organization', 'clinic')}::bigint
    from generate_series(1, ${others}) as n
    union all
    select n, param, 0, 1000000 + n from generate_series(1, ${others}) as n,
      unnest(${['subject', 'patient', 'encounter'].map((code) => parameterKey('Observation', code))}::integer[]) as param`)
  await database.run(sql`analyze`)
  return world
}
