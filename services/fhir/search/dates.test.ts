import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { parameterKey } from '../store/keys.ts'
import { countingRows } from '../testing/rows-examined.ts'
import { queryOfLink, searchWorld, type SearchWorld } from './testing/search-world.ts'

/** Observations of a day in 2015, and those that came later. */
const many = 10_000
const newer = 20_000

describe('what is sorted by date', () => {
  let world: SearchWorld
  beforeAll(async () => {
    world = await searchWorld()
    const observation = (id: string, effectiveDateTime: string) => ({
      ...{ resourceType: 'Observation', id, status: 'final', code: { text: 'x' }, effectiveDateTime },
    })
    const stay = (id: string, ...ends: string[]) => ({
      ...{ resourceType: 'Encounter', id, status: 'finished', class: { code: 'IMP' } },
      location: ends.map((end) => ({ location: { display: 'ward' }, period: { start: '2010-01-01', end } })),
    })
    await world.put(
      ...['2011-05-01', '2011-05-02', '2011-05-03', '2012-01-01'].map((day) => observation(`of-${day}`, day)),
      stay('long', '2011-01-01', '2014-01-01'),
      stay('short', '2012-01-01'),
    )
    const { database } = world
    await database.run(sql`
      insert into fhir.resources (key, type, id, version, last_updated, deleted, index_hashes)
      select n, 'Observation', n::text, 1, timestamptz '2020-01-01' + n * interval '1 second', false, array[0::bigint]
      from generate_series(1, ${many + newer}) as n`)
    await database.run(sql`
      insert into fhir.versions (key, version, type, id, last_updated, method, patients, content)
      select key, 1, type, id, last_updated, 'PUT', '{}'::bigint[], '{}' from fhir.resources where key between 1 and ${many}`)
    // One a second.
    await database.run(sql`
      insert into fhir.dates (key, param, seq, low, high)
      select n, ${parameterKey('Observation', 'date')}::integer, 0, time.at + n * 1000, time.at + (n + 1) * 1000
      from generate_series(1, ${many + newer}) as n, lateral (select
        case when n <= ${many} then ${Date.UTC(2015, 0)}::bigint else ${Date.UTC(2020, 0)}::bigint end as at) as time`)
    await database.run(sql`analyze`)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const newestOf = (...seconds: number[]) => seconds.map(String)

  it.each([
    ['2015-01-01', newestOf(many, many - 1, many - 2), 500],
    ['2015-01-01T01:00Z', newestOf(3659, 3658, 3657), 500],
    // What lasts until later may have begun before: each date is looked at, but none of the resources.
    ['ge2015-01-01&date=lt2015-01-02', newestOf(many, many - 1, many - 2), many + newer + 500],
    ['2011-05,2011-06', ['of-2011-05-03', 'of-2011-05-02', 'of-2011-05-01'], 500],
    ['ge2011-05-02&date=le2012', ['of-2012-01-01', 'of-2011-05-03', 'of-2011-05-02'], many + newer + 500],
  ])('is found for a time long ago without a look at all that came later: date=%s', async (date, expected, rowsMax) => {
    const { on, examined } = countingRows(world.database)
    const { entries } = await world.page(`Observation?date=${date}&_sort=-date&_count=3`, {}, on)
    expect(entries.map(({ id }) => id)).toEqual(expected)
    expect(examined()).toBeLessThan(rowsMax)
  })

  it.each([
    ['', ['of-2011-05-01', 'of-2011-05-02', 'of-2011-05-03'], ['of-2012-01-01', '1', '2']],
    ['date=lt2011-05-03&', ['of-2011-05-01', 'of-2011-05-02'], undefined],
    ['date=2015-01-01&', ['1', '2', '3'], ['4', '5', '6']],
    ['date=sa2014&', ['1', '2', '3'], ['4', '5', '6']],
  ])('is found without a look at all that there is, the oldest first: %s', async (condition, first, second) => {
    const { on, examined } = countingRows(world.database)
    const page = await world.page(`Observation?${condition}_sort=date&_count=3`, {}, on)
    expect(page.entries.map(({ id }) => id)).toEqual(first)
    const next = queryOfLink(page, 'next')
    const more = next === undefined ? undefined : await world.page(`Observation?${next}`, {}, on)
    expect(more?.entries.map(({ id }) => id)).toEqual(second)
    expect(examined()).toBeLessThan(500)
  })

  it('is found by any of its dates, and sorted by the newest of them', async () => {
    const page = await world.page('Encounter?location-period=eb2012&_sort=-location-period')
    expect(page.entries.map(({ id }) => id)).toEqual(['long'])
    const both = await world.page('Encounter?location-period=lt2013&_sort=-location-period')
    expect(both.entries.map(({ id }) => id)).toEqual(['long', 'short'])
  })
})
