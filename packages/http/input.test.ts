import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formType } from './body.ts'
import { day, flag, instant, integer, list, object, oneOf, optional, orNull, text, uuid } from './fields.ts'
import { route } from './route.ts'
import { testServer, type TestServer } from './testing/test-server.ts'
import { anyone } from './who.ts'

const Body = object({
  name: text({ min: 1, max: 10 }),
  kind: oneOf(['A', 'B']),
  born: optional(day()),
  at: optional(instant()),
  tags: optional(list(text({ max: 3 }), { max: 2, unique: true })),
  code: optional(text({ pattern: /^[a-z]+$/, says: 'must be small letters' })),
  count: optional(integer({ min: 1, max: 5 })),
  isOld: optional(flag()),
  note: optional(orNull(text({ max: 3 }))),
  address: optional(object({ lines: list(text({ max: 3 })) }, { closed: true })),
  id: optional(uuid()),
})

const everything = Type.Unsafe<unknown>({})
const answer = { 200: Type.Object({ query: everything, body: everything }) }
const routes = [
  route({
    method: 'POST',
    path: '/json',
    who: anyone,
    summary: 'Takes JSON',
    input: { body: Body },
    output: answer,
    run: ({ query, body }) => ({ query, body }),
  }),
  route({
    method: 'POST',
    path: '/form',
    who: anyone,
    summary: 'Takes a form',
    accepts: [formType],
    input: { body: object({ name: text(), tags: optional(list(text())) }) },
    output: answer,
    run: ({ query, body }) => ({ query, body }),
  }),
  route({
    method: 'POST',
    path: '/long-form',
    who: anyone,
    summary: 'Takes a form with more fields than others',
    accepts: [formType],
    limits: { formFieldsMax: 5 },
    input: { body: object({ name: text() }) },
    output: answer,
    run: ({ query, body }) => ({ query, body }),
  }),
  route({
    method: 'POST',
    path: '/rules',
    who: anyone,
    summary: 'Has rules beyond its schemas',
    input: {
      query: { count: integer() },
      body: object({ low: integer(), words: list(text({ max: 3 })), names: optional(list(text())) }),
    },
    output: answer,
    alsoWrong: ({ query: { count = 0 }, body: { low = 0, words = [], names = [] }, unsound }) => [
      ...names.flatMap((name, at) =>
        name.startsWith('-') ? [{ path: `names[${at}]`, message: 'must be a name' }] : [],
      ),
      ...(low > count && !unsound.has('count') ? [{ path: 'low', message: 'must not be over the count' }] : []),
      ...words.flatMap((word, at) =>
        word === 'no' ? [{ path: `words[${at}]`, message: 'must be another word' }] : [],
      ),
    ],
    run: ({ query, body }) => ({ query, body }),
  }),
  route({
    method: 'GET',
    path: '/query',
    who: anyone,
    summary: 'Takes a query',
    input: { query: { count: optional(integer({ max: 9 })), isOld: optional(flag()), ids: optional(list(integer())) } },
    output: answer,
    run: ({ query }) => ({ query, body: null }),
  }),
  route({
    method: 'GET',
    path: '/strict',
    who: anyone,
    summary: 'Takes nothing else',
    strictQuery: true,
    input: { query: { name: text() } },
    output: answer,
    run: ({ query }) => ({ query, body: null }),
  }),
]

let server: TestServer
beforeAll(async () => {
  server = await testServer(routes)
})
afterAll(() => server.close())

async function post(path: string, body: BodyInit, contentType = 'application/json') {
  const response = await fetch(server.url + path, { method: 'POST', headers: { 'content-type': contentType }, body })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function get(address: string) {
  const response = await fetch(server.url + address)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const good = { name: 'x', kind: 'A' }

describe('a JSON body', () => {
  it('is answered with every field that is wrong, in words', async () => {
    const wrong = {
      name: '',
      kind: 'C',
      born: '2026-02-30',
      at: 'yesterday',
      tags: ['abcd', 'x', 'x'],
      code: 'A1',
      count: '3',
      isOld: 'true',
      note: 'long',
      address: { lines: ['x', 'long'], extra: 1 },
      id: 'x',
    }
    const { status, body } = await post('/json', JSON.stringify(wrong))
    expect(status).toBe(400)
    expect(body['errors']).toEqual(
      expect.arrayContaining([
        { path: 'name', message: 'must not be empty' },
        { path: 'kind', message: 'must be one of A, B' },
        { path: 'born', message: 'must be a date such as 2026-03-04' },
        { path: 'at', message: 'must be a time with its offset, such as 2026-03-04T05:06:07Z' },
        { path: 'tags', message: 'must have at most 2 entries' },
        { path: 'tags', message: 'must not have an entry twice' },
        { path: 'tags[0]', message: 'must have at most 3 characters' },
        { path: 'code', message: 'must be small letters' },
        { path: 'count', message: 'must be a whole number' },
        { path: 'isOld', message: 'must be true or false' },
        { path: 'note', message: 'must have at most 3 characters' },
        { path: 'address.lines[1]', message: 'must have at most 3 characters' },
        { path: 'address.extra', message: 'is not a known field' },
        { path: 'id', message: 'must be a UUID' },
      ]),
    )
    expect(body['errors']).toHaveLength(14)
    expect(JSON.stringify(body)).not.toContain('yesterday')
  })

  it.each([
    [
      '{}',
      [
        { path: 'name', message: 'is required' },
        { path: 'kind', message: 'is required' },
      ],
    ],
    ['[]', [{ path: 'body', message: 'must be an object' }]],
    ['null', [{ path: 'body', message: 'must be an object' }]],
  ])('%s lacks what is required', async (sent, errors) => {
    expect((await post('/json', sent)).body['errors']).toEqual(errors)
  })

  it('is required where one is declared', async () => {
    const response = await fetch(`${server.url}/json`, { method: 'POST' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errors: [{ path: 'body', message: 'is required' }] })
  })

  it('names every text with a sign that no database keeps', async () => {
    const sent = { name: 'a\0', kind: 'A', tags: ['\ud800', '\0'], address: { lines: ['\0'] }, other: '\0' }
    const pathsOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
      status,
      ...(body['errors'] as { path: string }[]).map(({ path }) => path),
    ]
    const paths = ['name', 'tags[0]', 'tags[1]', 'address.lines[0]']
    expect(pathsOf(await post('/json', JSON.stringify(sent)))).toEqual([400, ...paths])
    expect(pathsOf(await post('/form', 'name=x&tags=%00', formType))).toEqual([400, 'tags[0]'])
    expect(pathsOf(await get('/strict?name=%00'))).toEqual([400, 'name'])
  })

  it('reaches the route with its declared fields and no others', async () => {
    const { body } = await post('/json', JSON.stringify({ ...good, status: 'ACTIVE', toString: 1 }))
    expect(body['body']).toEqual(good)
    expect((await post('/form', 'name=x&isAdmin=true', formType)).body['body']).toEqual({ name: 'x' })
  })

  it.each([
    ['a key of the prototype', '{"name":"x","kind":"A","__proto__":{"a":1}}', 400],
    ['the same in disguise', '{"name":"x","kind":"A","\\u005f_proto__":1}', 400],
    ['a constructor object', '{"name":"x","kind":"A","constructor":{"prototype":{"a":1}}}', 400],
    ['a key given twice', '{"name":"x","kind":"A","kind":"B"}', 400],
    ['no end', '{"name":"x"', 400],
    ['a NaN', '{"name":"x","kind":"A","count":NaN}', 400],
    ['nothing', '', 400],
    ['deep nesting', `{"name":"x","kind":"A","deep":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 400],
    ['a byte order mark', '\ufeff{"name":"x","kind":"A"}', 200],
  ])('with %s is answered %3$i', async (_what, sent, status) => {
    const answered = await post('/json', sent)
    expect(answered.status).toBe(status)
    expect(({} as Record<string, unknown>)['a']).toBeUndefined()
  })

  it.each([
    ['text/plain', 415],
    ['application/xml', 415],
    [formType, 415],
    ['application/json; charset=utf-16', 415],
    ['application/json; charset=UTF-8', 200],
    ['Application/JSON', 200],
    ['application/jsonx', 415],
  ])('as %s is answered %i', async (contentType, status) => {
    expect((await post('/json', JSON.stringify(good), contentType)).status).toBe(status)
  })

  it('that is not UTF-8 or is compressed is refused', async () => {
    expect((await post('/json', new Uint8Array([0x22, 0xff, 0x22]))).status).toBe(400)
    const zipped = await fetch(`${server.url}/json`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: '{}',
    })
    expect(zipped.status).toBe(415)
  })
})

describe('wrong fields without end', () => {
  it('are refused by the first hundred', async () => {
    const lines = Array.from({ length: 135_000 }, () => 'long')
    const { status, body } = await post('/json', JSON.stringify({ name: 'x', kind: 'A', address: { lines } }))
    expect([status, body['errors']]).toEqual([400, expect.objectContaining({ length: 100 })])
  })
})

describe('percent signs', () => {
  it('that stand for no text are refused by the name of their parameter, in a query and in a form', async () => {
    const named = (path: string) => expect.objectContaining({ errors: [{ path, message: 'is not well encoded' }] })
    expect(await post('/form', 'name=%FF', formType)).toMatchObject({ status: 400, body: named('name') })
    expect(await post('/form', 'name=x&tags=%C3&tags=ok', formType)).toMatchObject({ status: 400, body: named('tags') })
    const asked = await fetch(`${server.url}/query?x=1&anything=a%ff`)
    expect([asked.status, await asked.json()]).toEqual([400, named('anything')])
  })

  it('that are wrong without end are refused by the first hundred', async () => {
    const { status, body } = await post('/form', '%FF&'.repeat(150_000), formType)
    expect([status, body['errors']]).toEqual([400, expect.objectContaining({ length: 100 })])
  })

  it('that stand for a text, or for nothing, are taken', async () => {
    const posted = await post('/form', 'name=100%+%C3%BC%EF%BF%BD%2', formType)
    expect(posted.body['body']).toEqual({ name: '100% ü\uFFFD%2' })
  })
})

describe('a form', () => {
  it.each([
    ['ISO-8859-1', 'name=a%2Bb', 200],
    ['"iso-8859-1"', 'name=%C3%BC', 200],
    ['ISO-8859-1', 'name=%FC', 400],
    ['utf-16', 'name=x', 415],
  ])(
    'that says its charset is %s, as clients in Java do, is read as every form is: %s is %i',
    async (charset, sent, status) => {
      expect((await post('/form', sent, `${formType}; charset=${charset}`)).status).toBe(status)
    },
  )

  it('has texts only, and lists where they are declared', async () => {
    expect((await post('/form', 'name=a+b%26c&tags=1', formType)).body['body']).toEqual({ name: 'a b&c', tags: ['1'] })
    expect((await post('/form', 'name=x&tags=1&tags=2', formType)).body['body']).toEqual({
      name: 'x',
      tags: ['1', '2'],
    })
  })

  it('has line breaks of one character, as browsers count them', async () => {
    expect((await post('/form', 'name=a%0D%0Ab%0Ac', formType)).body['body']).toEqual({ name: 'a\nb\nc' })
  })

  it('may not give a field twice', async () => {
    const { status, body } = await post('/form', 'name=x&name=y', formType)
    expect(status).toBe(400)
    expect(body['errors']).toEqual([{ path: 'name', message: 'is given more than once' }])
  })

  it('may not have fields without end', async () => {
    await using small = await testServer(routes, { limits: { formFieldsMax: 3 } })
    const send = async (path: string, body: string) =>
      (await fetch(small.url + path, { method: 'POST', headers: { 'content-type': formType }, body })).status
    expect(await send('/form', 'name=x&a=1&b=2')).toBe(200)
    expect(await send('/form', 'name=x&a=1&b=2&c=3')).toBe(400)
    expect(await send('/long-form', 'name=x&a=1&b=2&c=3&d=4')).toBe(200)
    expect(await send('/long-form', 'name=x&a=1&b=2&c=3&d=4&e=5')).toBe(400)
  })
})

describe('what is wrong beyond the schemas', () => {
  const longAt = (at: number) => ({ path: `words[${at}]`, message: 'must have at most 3 characters' })
  const long = longAt(0)
  const low = { path: 'low', message: 'must not be over the count' }
  const word = (at: number) => ({ path: `words[${at}]`, message: 'must be another word' })
  const count = { path: 'count', message: 'must be a whole number' }
  it.each([
    ['?count=1', { low: 2, words: ['many', 'yes', 'no'] }, [long, low, word(2)]],
    ['?count=x', { low: 2, words: ['no', 'yes', 'no'] }, [count, word(0), word(2)]],
    ['?count=1', { low: 'two', words: ['no'] }, [{ path: 'low', message: 'must be a whole number' }, word(0)]],
    ['?count=1', { low: 2, words: 'no' }, [{ path: 'words', message: 'must be a list' }, low]],
    ['?count=1', ['no'], [{ path: 'body', message: 'must be an object' }]],
  ])('of %s and %j is told with what the schemas find', async (query, body, errors) => {
    const told = await post(`/rules${query}`, JSON.stringify(body))
    expect([told.status, told.body['errors']]).toEqual([400, errors])
  })

  it('is not asked for where so much is wrong with one field that the answer says nothing of the others', async () => {
    const body = { low: 2, words: Array.from({ length: 150 }, () => 'many'), names: [5] }
    const told = await post('/rules?count=1', JSON.stringify(body))
    expect([told.status, told.body['errors']]).toEqual([400, body.words.slice(0, 100).map((_, at) => longAt(at))])
  })

  it('is for the route to say where they find nothing', async () => {
    expect((await post('/rules?count=1', '{"low":2,"words":["no"]}')).status).toBe(200)
  })
})

describe('a query', () => {
  it.each([
    ['?count=3&isOld=true&ids=1&ids=2', { count: 3, isOld: true, ids: [1, 2] }],
    ['?ids=7&unknown=x', { ids: [7] }],
    ['?isOld=False', { isOld: false }],
    ['?count=-0', { count: 0 }],
    ['', {}],
  ])('%s is read as what its schema says', async (query, value) => {
    expect((await get(`/query${query}`)).body['query']).toEqual(value)
  })

  it('is told of a parameter that is there twice and of another that is wrong in one answer', async () => {
    expect((await get('/query?isOld=true&isOld=true&count=10')).body['errors']).toEqual([
      { path: 'isOld', message: 'is given more than once' },
      { path: 'count', message: 'must be at most 9' },
    ])
  })

  it.each([
    ['?count=0x1', 'count', 'must be a whole number'],
    ['?count=%201', 'count', 'must be a whole number'],
    ['?count=1e0', 'count', 'must be a whole number'],
    ['?count=', 'count', 'must be a whole number'],
    ['?count=10', 'count', 'must be at most 9'],
    ['?count=1&count=2', 'count', 'is given more than once'],
    ['?other=1&other=2', 'other', 'is given more than once'],
    ['?isOld=1', 'isOld', 'must be true or false'],
    ['?isOld=untrue', 'isOld', 'must be true or false'],
  ])('%s is refused', async (query, path, message) => {
    expect(await get(`/query${query}`)).toMatchObject({ status: 400, body: { errors: [{ path, message }] } })
  })

  it('may be held to what is declared', async () => {
    expect((await get('/strict?name=x')).status).toBe(200)
    expect((await get('/strict?nmae=y')).body['errors']).toEqual([
      { path: 'nmae', message: 'is not a known parameter' },
      { path: 'name', message: 'is required' },
    ])
    expect(await get('/strict?name=x&nmae=y')).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'nmae', message: 'is not a known parameter' }] },
    })
  })
})
