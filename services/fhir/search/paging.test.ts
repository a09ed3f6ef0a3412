import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SearchPage } from './engine.ts'
import { queryOfLink, searchWorld, type SearchWorld } from './testing/search-world.ts'

const namesOf = (page: SearchPage) => page.entries.map(({ id }) => id)

const patient = (number: number) => ({
  resourceType: 'Patient',
  id: `p${number}`,
  name: [{ family: ['Abel', 'Berg', 'Cruz'][number % 3] }],
  // Every fourth has none, and so comes last in either direction.
  ...(number % 4 === 0 ? {} : { birthDate: `19${50 + (number % 7)}-01-01` }),
  ...(number % 5 === 0 ? {} : { gender: number % 2 === 0 ? 'female' : 'male' }),
  // Some have several, or a concept that is only a text.
  generalPractitioner: ['a', 'b', 'c'].slice(number % 4).map((id) => ({ reference: `Practitioner/${id}` })),
  communication: ['fr', 'sw', 'en'].slice(0, number % 3).map((code) => ({
    language: number === 11 ? { text: code } : { coding: [{ system: 'urn:ietf:bcp:47', code }] },
  })),
  meta: { profile: [`http://example.org/${number % 2}`] },
})

const someIds = Array.from({ length: 12 }, (_each, number) => `p${number}`).join(',')

describe('the pages of a search', () => {
  let world: SearchWorld
  beforeAll(async () => {
    world = await searchWorld()
    for (let number = 0; number < 23; number++) {
      await world.clock.advance(1_000)
      await world.put(patient(number))
      if (number % 3 === 0) await world.put({ resourceType: 'Organization', id: `o${number}`, name: 'Clinic' })
    }
  })
  afterAll(() => world[Symbol.asyncDispose]())

  /** Every page from the first on, in the direction of the link. */
  async function walk(
    search: string,
    relation: 'next' | 'previous',
    from?: SearchPage,
    between?: () => Promise<void>,
    pageOf: SearchWorld['page'] = (...asked) => world.page(...asked),
  ) {
    const type = search.slice(0, search.indexOf('?'))
    const pages: SearchPage[] = []
    for (let page = from ?? (await pageOf(search)); ;) {
      pages.push(page)
      await between?.()
      const query = queryOfLink(page, relation)
      if (query === undefined) return pages
      page = await pageOf(`${type}?${query}`)
    }
  }

  const searches = [
    'Patient?_count=5',
    'Patient?_count=5&_sort=birthdate',
    'Patient?_count=5&_sort=-birthdate',
    'Patient?_count=4&_sort=family,-birthdate',
    'Patient?_count=4&_sort=-family,birthdate,_id',
    'Patient?_count=7&_sort=_lastUpdated',
    'Patient?_count=7&_sort=-_lastUpdated',
    '?_count=4&_sort=_lastUpdated',
    '?_count=4&_sort=-_lastUpdated,_id',
    '?_count=3&_type=Organization,Patient&_lastUpdated=gt2024-06-01T00:00:05Z&_sort=-_lastUpdated',
    'Patient?_count=4&_sort=gender',
    'Patient?_count=4&_sort=-gender,birthdate',
    'Patient?_count=3&_sort=language',
    'Patient?_count=3&_sort=-language,-family',
    'Patient?_count=3&_sort=language,-birthdate',
    'Patient?_count=3&_sort=-language,birthdate,family',
    'Patient?_count=4&_sort=gender,-birthdate,-_id',
    'Patient?_count=3&_sort=general-practitioner',
    'Patient?_count=3&_sort=-general-practitioner,-gender',
    'Patient?_count=3&_sort=-_profile,family&family:missing=false',
    'Patient?_count=1&family=berg&_sort=-_id',
    'Patient?_count=23',
    // Sorted after they were found, where the others are read off an index.
    `Patient?_count=3&_sort=birthdate,-family&_id=${someIds}`,
    `Patient?_count=3&_sort=-birthdate&_id=${someIds}`,
    `Patient?_count=2&_sort=-family,birthdate&_id=${someIds}`,
    'Patient?_count=2&_sort=-birthdate&family:missing=false&birthdate:missing=true',
    'Patient?_count=2&_sort=-birthdate&birthdate=ge1951&birthdate=lt1954',
    'Patient?_count=2&_sort=-birthdate&birthdate=1951,1953&family=berg,cruz',
  ]

  it.each(searches)(
    'of %s are the whole in its order where a few of them fill a page by their size',
    async (search) => {
      const [first, ...others] = await walk(search, 'next')
      if (first === undefined) throw new Error('there is no page')
      const narrow = world.pageWithin({ pageBytesMax: 300 })
      const pages = await walk(search, 'next', undefined, undefined, narrow)
      expect(pages.length).toBeGreaterThan(others.length)
      expect(pages.every(({ entries }) => entries.length < 7)).toBe(true)
      const expected = [first, ...others].flatMap(namesOf)
      expect(pages.flatMap(namesOf)).toEqual(expected)
      const back = await walk(search, 'previous', pages.at(-1), undefined, narrow)
      expect(back.toReversed().flatMap(namesOf)).toEqual(expected)
    },
  )

  it.each(searches)('of %s together are the whole in its order', async (search) => {
    const whole = namesOf(await world.page(search.replace(/_count=\d+/, '_count=1000')))
    const pages = await walk(search, 'next')
    expect(pages.flatMap(namesOf)).toEqual(whole)
    expect(pages.at(-1)?.links.map(({ relation }) => relation)).not.toContain('next')
    expect(pages[0]?.links.map(({ relation }) => relation)).not.toContain('previous')
  })

  it.each(searches)('of %s are in the order in which they are sorted where few are left', async (search) => {
    const whole = search.replace(/_count=\d+/, '_count=1000')
    const all = Array.from({ length: 23 }, (_each, number) => [`p${number}`, `o${number}`]).flat()
    // By their ids they are found first, and then sorted.
    const sorted = await world.page(`${whole}&_id=${all.join(',')}`)
    expect(namesOf(await world.page(whole))).toEqual(namesOf(sorted))
  })

  it.each(searches)('of %s are the same backwards', async (search) => {
    const forwards = await walk(search, 'next')
    const backwards = await walk(search, 'previous', forwards.at(-1))
    expect(backwards.toReversed().map(namesOf)).toEqual(forwards.map(namesOf))
    const [again] = backwards.slice(-1)
    expect(again?.links.map(({ relation }) => relation)).not.toContain('previous')
  })

  it('lead back to themselves and to the first', async () => {
    const [, second] = await walk('Patient?_count=5&_sort=birthdate', 'next')
    if (second === undefined) throw new Error('there is no second page')
    expect(namesOf(await world.page(`Patient?${queryOfLink(second, 'self')}`))).toEqual(namesOf(second))
    expect(queryOfLink(second, 'first')).toBe('_count=5&_sort=birthdate')
  })

  it.each(['Patient?_count=3', 'Patient?_count=3&_sort=-family,birthdate'])(
    'of %s hold every resource once while others come and go',
    async (search) => {
      const before = namesOf(await world.page(search.replace('_count=3', '_count=1000')))
      let number = 100
      const pages = await walk(search, 'next', undefined, async () => {
        await world.put(patient(number), patient(number + 1))
        await world.remove('Patient', `p${number}`)
        number += 2
      })
      const seen = pages.flatMap(namesOf)
      expect(new Set(seen).size).toBe(seen.length)
      expect(seen).toEqual(expect.arrayContaining(before))
      while (number > 100) await world.remove('Patient', `p${--number}`)
    },
  )

  it('hold a resource once that has several parts of what they are sorted by', async () => {
    const address = { line: ['1 Lake Road'], city: 'Kisumu', country: 'KE' }
    await world.put({ resourceType: 'Location', id: 'ward', name: 'Ward', address })
    for (const sort of ['address', '-address', 'name']) {
      expect(namesOf(await world.page(`Location?_sort=${sort}`))).toEqual(['ward'])
    }
  })

  it('refuse a cursor that is not theirs', async () => {
    const page = await world.page('Patient?_count=5&_sort=birthdate')
    const query = queryOfLink(page, 'next') ?? ''
    const cursor = query.slice(query.indexOf('_cursor=') + '_cursor='.length)
    await expect(world.page(`Patient?_count=5&_sort=family&_cursor=${cursor}`)).rejects.toThrow('belongs to another')
    await expect(world.page(`Practitioner?_count=5&_cursor=${cursor}`)).rejects.toThrow('belongs to another')
    const [fingerprint] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    const forged = [
      'nonsense',
      '',
      ...[
        null,
        {},
        [],
        [fingerprint],
        [fingerprint, 0, '1'],
        [fingerprint, 0, '1', '1', '1'],
        [fingerprint, 2, '1', '1'],
        [fingerprint, 0, 'x', '1'],
        [fingerprint, 0, '1', "1' or true --"],
        [fingerprint, 0, '1', 5],
        [fingerprint, 0, '99999999999999999999', '1'],
        [fingerprint, 0, '1', '9223372036854775808'],
      ].map((value) => Buffer.from(JSON.stringify(value)).toString('base64url')),
    ]
    for (const each of forged.filter((text) => text !== '')) {
      await expect(world.page(`Patient?_count=5&_sort=birthdate&_cursor=${each}`), each).rejects.toMatchObject({
        kind: 'incorrect',
      })
    }
  })

  it.each([
    ['_lastUpdated', '2024-02-30 00:00:00+00'],
    ['_lastUpdated', 'now'],
    ['family', 'a\u0000b'],
  ])('refuse a cursor whose value %s could not have', async (sort, value) => {
    const page = await world.page(`Patient?_count=5&_sort=${sort}`)
    const query = queryOfLink(page, 'next') ?? ''
    const cursor = query.slice(query.indexOf('_cursor=') + '_cursor='.length)
    const [fingerprint] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    const forged = Buffer.from(JSON.stringify([fingerprint, 0, '1', value])).toString('base64url')
    await expect(world.page(`Patient?_count=5&_sort=${sort}&_cursor=${forged}`)).rejects.toThrow('not one that')
  })
})
