import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { parameterKey, resourceKey } from '../store/keys.ts'
import { countingRows } from '../testing/rows-examined.ts'
import type { SearchPage } from './engine.ts'
import { queryOfLink, searchWorld, type SearchWorld } from './testing/search-world.ts'

/** Observations of a day in 2015, and those that came later. */
const many = 10_000
const newer = 20_000
const critical = 1_500
/** More than are looked at before something is walked to. */
const alike = 3_000
/** Of two pages; whether somebody is popular is known from a thousand. */
const fewRows = 2_500

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
    const procedure = (id: string, start: string | undefined, end: string | undefined) => ({
      ...{ resourceType: 'Procedure', id, status: 'completed', performedPeriod: { start, end } },
    })
    await world.put(
      ...['2011-05-01', '2011-05-02', '2011-05-03', '2012-01-01'].map((day) => observation(`of-${day}`, day)),
      stay('long', '2011-01-01', '2014-01-01'),
      stay('short', '2012-01-01'),
      procedure('years', '2010-01-01', '2016-01-01'),
      procedure('days', '2014-06-01', '2014-06-10'),
      procedure('night', '2014-12-31T20:00:00Z', '2015-01-01T04:00:00Z'),
      procedure('day', '2015-01-01', '2015-01-01'),
      procedure('month', '2015-02', '2015-02'),
      procedure('hour', '2015-03-01T10:00:00Z', '2015-03-01T11:00:00Z'),
      procedure('begun', '2013-05-01', undefined),
      procedure('ended', undefined, '2012-01-01'),
      procedure('eve', '2014-12-30', '2014-12-30'),
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
    // Many with the same value.
    await database.run(sql`
      insert into fhir.dates (key, param, seq, low, high)
      select n, ${parameterKey('Observation', 'value-date')}::integer, 0, 0, 1000 from generate_series(1, ${alike}) as n`)
    await database.run(sql`
      insert into fhir.reference_values (key, param, seq, target)
      select n, ${parameterKey('Observation', 'performer')}::integer, 0, ${resourceKey('Practitioner', 'amara')}::bigint
      from generate_series(1, ${many + newer}) as n
      union all
      select n, ${parameterKey('Encounter', 'location')}::integer, 0, ${resourceKey('Location', 'ward')}::bigint
      from generate_series(1, ${many}) as n`)
    // Critical results, all of them of the beginning.
    await database.run(sql`
      insert into fhir.tokens (key, param, seq, system, code)
      select n, ${parameterKey('Observation', 'interpretation')}::integer, 0, 0, case when n <= ${critical} then 'HH' else 'N' end
      from generate_series(1, ${many + newer}) as n`)
    await database.run(sql`analyze`)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const newestOf = (...seconds: number[]) => seconds.map(String)

  it.each([
    ['2015-01-01', newestOf(many, many - 1, many - 2)],
    ['2015-01-01T01:00Z', newestOf(3659, 3658, 3657)],
    ['ge2015-01-01&date=lt2015-01-02', newestOf(many, many - 1, many - 2)],
    ['2011-05,2011-06', ['of-2011-05-03', 'of-2011-05-02', 'of-2011-05-01']],
    ['ge2011-05-02&date=le2012', ['of-2012-01-01', 'of-2011-05-03', 'of-2011-05-02']],
    ['ge2015-01-01&date=lt2015-01-02&performer=Practitioner/amara', newestOf(many, many - 1, many - 2)],
  ])('is found for a time long ago without a look at all that came later: date=%s', async (date, expected) => {
    const { on, examined } = countingRows(world.database)
    const { entries } = await world.page(`Observation?date=${date}&_sort=-date&_count=3`, {}, on)
    expect(entries.map(({ id }) => id)).toEqual(expected)
    expect(examined()).toBeLessThan(fewRows)
  })

  it('is sorted, where all that a code leaves is old, and not looked for among all that came later', async () => {
    const { on, examined } = countingRows(world.database)
    const { entries } = await world.page('Observation?interpretation=HH&_sort=-date&_count=3', {}, on)
    expect(entries.map(({ id }) => id)).toEqual(newestOf(critical, critical - 1, critical - 2))
    // To walk there takes four times as many rows as there are.
    expect(examined()).toBeLessThan(2 * (many + newer))
  })

  it('is read off the index where the first have the code that is asked for, page by page', async () => {
    const { on, examined } = countingRows(world.database)
    const page = await world.page('Observation?interpretation=HH&_sort=date&_count=3', {}, on)
    const next = await world.page(`Observation?${queryOfLink(page, 'next')}`, {}, on)
    expect([page, next].flatMap(({ entries }) => entries.map(({ id }) => id))).toEqual(['1', '2', '3', '4', '5', '6'])
    expect(examined()).toBeLessThan(many)
  })

  it('is sorted by a further date among all that have the first in common', async () => {
    const search = 'Observation?_sort=value-date,-date&_count=3'
    const page = await world.page(search)
    expect(page.entries.map(({ id }) => id)).toEqual(newestOf(alike, alike - 1, alike - 2))
    const next = await world.page(`Observation?${queryOfLink(page, 'next')}`)
    expect(next.entries.map(({ id }) => id)).toEqual(newestOf(alike - 3, alike - 4, alike - 5))
  })

  it.each([
    ['?_sort=_lastUpdated&_count=3', ['1', '2', '3'], ['4', '5', '6']],
    ['?_lastUpdated=gt2020-01-01T00:00:10Z&_sort=_lastUpdated&_count=3', ['11', '12', '13'], ['14', '15', '16']],
    ['Observation?_sort=interpretation&_count=3', ['1', '2', '3'], ['4', '5', '6']],
    ['Observation?performer:missing=false&_count=3', ['1', '2', '3'], ['4', '5', '6']],
  ])('is not all that is found without a look at all that there is: %s', async (search, first, second) => {
    const { on, examined } = countingRows(world.database)
    const page = await world.page(search, {}, on)
    expect(page.entries.map(({ id }) => id)).toEqual(first)
    const next = queryOfLink(page, 'next')
    const more = next === undefined ? undefined : await world.page(search.replace(/[?].*/, `?${next}`), {}, on)
    expect(more?.entries.map(({ id }) => id)).toEqual(second)
    expect(examined()).toBeLessThan(2 * fewRows)
  })

  it.each([
    ['', ['of-2011-05-01', 'of-2011-05-02', 'of-2011-05-03'], ['of-2012-01-01', '1', '2']],
    ['date=lt2011-05-03&', ['of-2011-05-01', 'of-2011-05-02'], undefined],
    ['date=2015-01-01&', ['1', '2', '3'], ['4', '5', '6']],
    ['date=sa2014&', ['1', '2', '3'], ['4', '5', '6']],
    // What lasts may have begun before.
    ['date=ge2015&', ['1', '2', '3'], ['4', '5', '6']],
    ['date=gt2014&', ['1', '2', '3'], ['4', '5', '6']],
    // Whom nearly everything has to do with.
    ['performer=Practitioner/amara&', ['1', '2', '3'], ['4', '5', '6']],
    ['performer=Practitioner/amara&date=ge2015&', ['1', '2', '3'], ['4', '5', '6']],
    // Whom much has to do with, and nothing in this way.
    ['performer=Location/ward&', [], undefined],
  ])('is found without a look at all that there is, the oldest first: %s', async (condition, first, second) => {
    const { on, examined } = countingRows(world.database)
    const page = await world.page(`Observation?${condition}_sort=date&_count=3`, {}, on)
    expect(page.entries.map(({ id }) => id)).toEqual(first)
    const next = queryOfLink(page, 'next')
    const more = next === undefined ? undefined : await world.page(`Observation?${next}`, {}, on)
    expect(more?.entries.map(({ id }) => id)).toEqual(second)
    expect(examined()).toBeLessThan(fewRows)
  })

  it.each([
    ['date=ge2015-01-01&_sort=date', ['years', 'begun', 'day', 'month', 'hour']],
    ['date=gt2014-12-31&_sort=date', ['years', 'begun', 'night', 'day', 'month', 'hour']],
    ['date=gt2014-12-31&date=lt2015-01-02&_sort=date', ['years', 'begun', 'night', 'day']],
    ['date=ap2024,ge2015-02&_sort=date', ['years', 'begun', 'month', 'hour']],
    ['date=lt2015-01-01&_sort=-date', ['begun', 'years', 'night', 'eve', 'days', 'ended']],
    ['date=lt2015-01-01&date=gt2014-12-30&_sort=-date', ['begun', 'years', 'night']],
    ['date=eb2015-01-01&_sort=-date', ['eve', 'days', 'ended']],
    ['date=sa2013-01-01&date=le2014&_sort=-date', ['begun', 'eve', 'days']],
  ])('is whole and in its order, however long things last, on pages both ways: %s', async (query, expected) => {
    const pages: SearchPage[] = []
    for (let asked: string | undefined = `${query}&_count=2`; asked !== undefined;) {
      const page = await world.page(`Procedure?${asked}`)
      pages.push(page)
      asked = queryOfLink(page, 'next')
    }
    const ids = ({ entries }: SearchPage) => entries.map(({ id }) => id)
    expect(pages.flatMap(ids)).toEqual(expected)
    for (const [at, page] of pages.entries()) {
      const back = queryOfLink(page, 'previous')
      const before = back === undefined ? undefined : await world.page(`Procedure?${back}`)
      expect(before === undefined ? [] : ids(before)).toEqual(pages.slice(at - 1, at).flatMap(ids))
    }
    const unsorted = await world.find(`Procedure?${query.replace(/&_sort=.*/, '')}`)
    expect(unsorted).toEqual(expected.map((id) => `Procedure/${id}`).sort())
  })

  it('is found by any of its dates, and sorted by the newest of them', async () => {
    const page = await world.page('Encounter?location-period=eb2012&_sort=-location-period')
    expect(page.entries.map(({ id }) => id)).toEqual(['long'])
    const both = await world.page('Encounter?location-period=lt2013&_sort=-location-period')
    expect(both.entries.map(({ id }) => id)).toEqual(['long', 'short'])
  })
})
