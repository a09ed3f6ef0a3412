import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { parameterKey, resourceKey } from '../store/keys.ts'
import { countingRows } from '../testing/rows-examined.ts'
import { namesOf, searchWorld, type SearchWorld } from './testing/search-world.ts'

const own = Array.from({ length: 50 }, (_, n) => `own-${n}`)
const others = 20_000

describe('what everybody refers to', () => {
  let world: SearchWorld
  beforeAll(async () => {
    world = await searchWorld()
    const subject = { reference: 'Patient/amina' }
    const performer = [{ reference: 'Practitioner/dr-amara' }]
    await world.put(
      { resourceType: 'Practitioner', id: 'dr-amara' },
      { resourceType: 'Patient', id: 'amina' },
      ...own.map((id) => ({
        ...{ resourceType: 'Observation', id, status: 'final', code: { text: 'x' }, subject, performer },
      })),
    )
    const { database } = world
    await database.run(sql`
      insert into fhir.resources (key, type, id, version, last_updated, deleted, index_hashes)
      select n, 'Observation', n::text, 1, timestamptz '2020-01-01' + n * interval '1 second', false, array[0::bigint]
      from generate_series(1, ${others}) as n`)
    // Each of a patient of its own, so that few refer to what is referred to on the average.
    await database.run(sql`
      insert into fhir.reference_values (key, param, seq, target)
      select n, ${parameterKey('Observation', 'performer')}::integer, 0, ${resourceKey('Practitioner', 'dr-amara')}::bigint
      from generate_series(1, ${others}) as n
      union all
      select n, param, 0, 1000000 + n from generate_series(1, ${others}) as n,
        unnest(${['subject', 'patient', 'encounter'].map((code) => parameterKey('Observation', code))}::integer[]) as param`)
    await database.run(sql`analyze`)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  it.each(['Observation:performer', 'Observation:performer:Practitioner'])(
    'is included by %s without a look at who else refers to it',
    async (include) => {
      const { on, examined } = countingRows(world.database)
      const page = await world.page(`Observation?patient=amina&_include=${include}`, {}, on)
      expect(namesOf(page, 'match')).toHaveLength(own.length)
      expect(namesOf(page, 'include')).toContain('Practitioner/dr-amara')
      expect(examined()).toBeLessThan(others / 2)
    },
  )
})
