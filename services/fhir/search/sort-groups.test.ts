import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { parameterKey } from '../store/keys.ts'
import { countingRows } from '../testing/rows-examined.ts'
import type { SearchPage } from './engine.ts'
import { queryOfLink, searchWorld, type SearchWorld } from './testing/search-world.ts'

const observations = 10_000
const [status, category, date] = ['status', 'category', 'date'].map((code) => parameterKey('Observation', code))

/**
 * Nearly all have one status and one category. Every seventh has no date, up to five have the same one, and some have
 * another category as well or instead, one twice, or none.
 */
async function manyObservations({ database }: SearchWorld): Promise<void> {
  const numbers = sql`generate_series(1, ${observations}) as n`
  for (const statement of [
    sql`insert into fhir.resources (key, type, id, version, last_updated, deleted, index_hashes)
      select n, 'Observation', n::text, 1, timestamptz '2026-01-01', false, array[0::bigint] from ${numbers}`,
    sql`insert into fhir.versions (key, version, type, id, last_updated, method, patients, content)
      select n, 1, 'Observation', n::text, timestamptz '2026-01-01', 'PUT', '{}', json_build_object('x', repeat('x', 400))
      from ${numbers}`,
    sql`insert into fhir.tokens (key, param, seq, system, code)
      select n, ${status}::integer, 0, 1, case when n % 400 = 1 then 'amended' when n % 400 = 2 then 'preliminary' else 'final' end
      from ${numbers}`,
    sql`insert into fhir.tokens (key, param, seq, system, code)
      select n, ${category}::integer, 0, 1, 'laboratory' from ${numbers} where n % 40 <> 0 and n % 300 <> 5`,
    sql`insert into fhir.tokens (key, param, seq, system, code)
      select n, ${category}::integer, 1, 1, 'exam' from ${numbers} where n % 10 = 0`,
    sql`insert into fhir.tokens (key, param, seq, system, code)
      select n, ${category}::integer, 2, 2, 'laboratory' from ${numbers} where n % 15 = 0`,
    sql`insert into fhir.dates (key, param, seq, low, high)
      select n, ${date}::integer, 0, n * 7919 % ${observations} / 5 * 3600000::bigint, n * 7919 % ${observations} / 5 * 3600000::bigint + 1
      from ${numbers} where n % 7 <> 0`,
    sql`analyze fhir.resources, fhir.versions, fhir.tokens, fhir.dates`,
  ]) {
    await database.run(statement)
  }
}

const idsOf = (pages: readonly SearchPage[]) => pages.flatMap(({ entries }) => entries.map(({ id }) => id))

describe('a list by a code and then by a date', () => {
  let world: SearchWorld
  beforeAll(async () => {
    world = await searchWorld()
    await manyObservations(world)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  /** So many pages from this one on, in the direction of the link. */
  async function follow(
    from: SearchPage,
    relation: 'next' | 'previous',
    most: number,
    pageOf: SearchWorld['page'] = (...asked) => world.page(...asked),
  ) {
    const pages: SearchPage[] = []
    for (let page: SearchPage | undefined = from; page !== undefined && pages.length < most;) {
      pages.push(page)
      const query = queryOfLink(page, relation)
      page = query === undefined ? undefined : await pageOf(`Observation?${query}`)
    }
    return pages
  }

  const value = (param: number | undefined, descending: boolean) =>
    descending
      ? sql`(select max(t.code) from fhir.tokens as t where t.key = r.key and t.param = ${param}::integer)`
      : sql`(select min(t.code) from fhir.tokens as t where t.key = r.key and t.param = ${param}::integer)`
  const time = sql`(select d.high from fhir.dates as d where d.key = r.key and d.param = ${date}::integer)`

  const isLaboratory = sql`exists (
    select from fhir.tokens as t where t.key = r.key and t.param = ${category}::integer and t.code = 'laboratory')`
  const all = sql`true`

  it.each([
    ['_sort=status,-date', all, sql`${value(status, false)}, ${time} desc nulls last, r.key`],
    ['_sort=-status,date', all, sql`${value(status, true)} desc, ${time} nulls last, r.key desc`],
    ['_sort=category,-date', all, sql`${value(category, false)} nulls last, ${time} desc nulls last, r.key`],
    ['_sort=-category,-date', all, sql`${value(category, true)} desc nulls last, ${time} desc nulls last, r.key desc`],
    [
      '_sort=status,date,-category',
      all,
      sql`${value(status, false)}, ${time} nulls last, ${value(category, true)} desc nulls last, r.key`,
    ],
    [
      'category=laboratory&_sort=status,-date',
      isLaboratory,
      sql`${value(status, false)}, ${time} desc nulls last, r.key`,
    ],
    [
      'category=laboratory&_sort=category,-date',
      isLaboratory,
      sql`${value(category, false)}, ${time} desc nulls last, r.key`,
    ],
  ])('has the order of %s on all its pages, there and back', async (query, where, order) => {
    const rows = await world.database.many<{ id: string }>(
      sql`select r.id from fhir.resources as r where ${where} order by ${order}`,
    )
    const expected = rows.map(({ id }) => id)
    const first = await world.page(`Observation?${query}&_count=900`)
    const pages = await follow(first, 'next', Infinity)
    expect(idsOf(pages)).toEqual(expected)
    const [, , , fourth] = pages
    if (fourth === undefined) throw new Error('there is no fourth page')
    const back = await follow(fourth, 'previous', 4)
    expect(idsOf(back.toReversed())).toEqual(expected.slice(0, 3_600))
    const again = await follow(back[2] ?? first, 'next', 3)
    expect(idsOf(again)).toEqual(expected.slice(900, 3_600))
  })

  it('has the same order where a page is full by its size', async () => {
    const whole = idsOf([await world.page('Observation?_sort=status,-date&_count=300')])
    const narrow = world.pageWithin({ pageBytesMax: 12_000 })
    const pages = await follow(await narrow('Observation?_sort=status,-date&_count=50'), 'next', 8, narrow)
    expect(pages.every(({ entries }) => entries.length < 50)).toBe(true)
    expect(idsOf(pages)).toEqual(whole.slice(0, idsOf(pages).length))
  })

  it.each(['status,-date', 'status,date', '-category,-date'])(
    'by %s costs little more than its pages, however many have the first code in common',
    async (sort) => {
      const { on, examined } = countingRows(world.database)
      const first = await world.page(`Observation?_sort=${sort}&_count=50`, {}, on)
      const pages = await follow(first, 'next', 4, (search) => world.page(search, {}, on))
      expect(new Set(idsOf(pages)).size).toBe(200)
      expect(examined()).toBeLessThan(15_000)
    },
  )
})
