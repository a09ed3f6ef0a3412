import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lastPageBefore, PageSchema, pageOf, pageQuery, pagesOf, readPage } from './page-envelope.ts'
import { route } from './route.ts'
import { testServer, type TestServer } from './testing/test-server.ts'
import { anyone } from './who.ts'

const items = Array.from({ length: 45 }, (_, index) => ({ id: index, internal: true }))
const limits = { defaultSize: 20, maxSize: 40 }
const list = route({
  method: 'GET',
  path: '/items',
  who: anyone,
  summary: 'Lists',
  input: { query: pageQuery(limits) },
  output: { 200: PageSchema(Type.Object({ id: Type.Integer() })) },
  run: ({ query }) => {
    const wanted = readPage(query, limits)
    return pageOf(items.slice(wanted.offset, wanted.offset + wanted.size), wanted, items.length)
  },
})

let server: TestServer
beforeAll(async () => {
  server = await testServer([list])
})
afterAll(() => server.close())

describe('a page', () => {
  it('has both customary forms of the envelope', async () => {
    const answer = await fetch(`${server.url}/items?page=2`)
    const sort = { sorted: true, unsorted: false, empty: false }
    expect(await answer.json()).toEqual({
      content: [40, 41, 42, 43, 44].map((id) => ({ id })),
      number: 2,
      size: 20,
      totalElements: 45,
      totalPages: 3,
      numberOfElements: 5,
      first: false,
      last: true,
      empty: false,
      sort,
      pageable: { pageNumber: 2, pageSize: 20, offset: 40, paged: true, unpaged: false, sort },
      page: { size: 20, number: 2, totalElements: 45, totalPages: 3 },
    })
  })

  it.each([
    ['', { number: 0, size: 20, first: true, last: false, numberOfElements: 20 }],
    ['?size=40', { size: 40, totalPages: 2 }],
    ['?size=41', { size: 40 }],
    ['?size=999999999999999', { size: 40 }],
    ['?page=999999999999999', { number: 999_999_999_999_999, empty: true }],
    ['?size=1&page=44', { last: true, numberOfElements: 1 }],
    ['?page=99', { number: 99, empty: true, last: true, content: [] }],
  ])('asked for with %j is within its limits', async (query, expected) => {
    expect(await (await fetch(`${server.url}/items${query}`)).json()).toMatchObject(expected)
  })

  it.each([
    ['?page=-1', ['page']],
    ['?size=0', ['size']],
    ['?size=-5&page=x', ['page', 'size']],
    ['?size=1.5', ['size']],
    ['?size=', ['size']],
    ['?page=99999999999999999999', ['page']],
    ['?page=1&page=2', ['page']],
  ])('asked for with %j is refused', async (query, paths) => {
    const answer = await fetch(`${server.url}/items${query}`)
    expect(answer.status).toBe(400)
    const { errors } = (await answer.json()) as { errors: { path: string }[] }
    expect(errors.map(({ path }) => path)).toEqual(paths)
  })

  it.each([
    [0, 45, undefined],
    [2, 45, undefined],
    [3, 45, 2],
    [99_999, 45, 2],
    [5, 0, 0],
    [0, 0, undefined],
  ])('%i of %i entries, which is behind the last one or not, has %s before it', (number, total, last) => {
    expect(lastPageBefore(pagesOf({ number, size: 20 }, total))).toBe(last)
  })

  it('of nothing is the first and the last', () => {
    expect(pageOf([], { number: 0, size: 20 }, 0)).toMatchObject({
      totalPages: 0,
      first: true,
      last: true,
      empty: true,
    })
  })
})
