import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { page, redirect, reply } from './answer.ts'
import { bytes, html, nothing, openJson, streamed } from './content.ts'
import { integer, list, object, oneOf, optional, text } from './fields.ts'
import { route, routeFor } from './route.ts'
import { bearer, testServer } from './testing/test-server.ts'
import { anyone, roles } from './who.ts'

const Person = Type.Object({ name: Type.String(), age: Type.Optional(Type.Integer()) })

describe('a declared route', () => {
  it('gets typed input, its caller and its dependencies, and answers with what its schema lists and no more', async () => {
    interface Deps {
      readonly greeting: string
    }
    const declare = routeFor<Deps>()
    const greet = declare({
      method: 'POST',
      path: '/people/:id',
      who: roles('CLINICIAN', 'ADMIN'),
      summary: 'Greets a person',
      input: {
        params: { id: text({ max: 64 }) },
        query: { times: integer({ min: 1, max: 3 }), tag: Type.Optional(list(text())) },
        headers: { 'if-match': text({ optional: true }) },
        body: Type.Object({ mood: oneOf(['glad', 'sad']) }),
      },
      output: { 201: Type.Object({ said: Type.String(), by: Type.String(), tags: Type.Array(Type.String()) }) },
      run: ({ params, query, headers, body, caller }, { greeting }) => {
        const times: number = query.times
        const mood: 'glad' | 'sad' = body.mood
        const match: string | undefined = headers['if-match']
        return reply(
          201,
          {
            said: `${greeting} ${params.id} ${times} ${mood} ${match}`,
            by: caller.subject,
            tags: query.tag ?? [],
            secret: 'x',
          },
          { location: '/people/1' },
        )
      },
    })
    await using server = await testServer([greet], { deps: { greeting: 'Hello' } })
    const answer = await fetch(`${server.url}/people/a%20b?times=2&tag=x&tag=y&other=1`, {
      method: 'POST',
      headers: { ...bearer('CLINICIAN~'), 'content-type': 'application/json', 'if-match': 'W/"1"' },
      body: '{"mood":"glad"}',
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe('/people/1')
    expect(await answer.json()).toEqual({ said: 'Hello a b 2 glad W/"1"', by: 'dr-amara', tags: ['x', 'y'] })
  })

  it('answers a plain value with its only success', async () => {
    const get = route({
      method: 'GET',
      path: '/me',
      who: anyone,
      summary: 'Someone',
      output: { 200: Person },
      run: () => ({ name: 'Amina', age: undefined, note: 'internal' }),
    })
    await using server = await testServer([get])
    expect(await (await fetch(`${server.url}/me`)).json()).toEqual({ name: 'Amina' })
    expect((await fetch(`${server.url}/me`, { method: 'HEAD' })).status).toBe(200)
  })

  it.each([
    ['/page', 200, 'text/html; charset=utf-8', '<p>x</p>'],
    ['/bytes', 200, 'image/png', 'png'],
    ['/stream', 200, 'text/event-stream', 'data: 1\n\ndata: 2\n\n'],
    ['/fhir', 200, 'application/fhir+json; charset=utf-8', '{"resourceType":"Patient"}'],
    ['/away', 303, null, ''],
    ['/nothing', 204, null, ''],
  ])('at %s answers %i as %s', async (path, status, type, body) => {
    const declared = { method: 'GET', who: anyone, summary: 'Something' } as const
    await using server = await testServer([
      route({ ...declared, path: '/page', output: { 200: html }, run: () => page('<p>x</p>') }),
      route({ ...declared, path: '/bytes', output: { 200: bytes('image/png') }, run: () => Buffer.from('png') }),
      route({
        ...declared,
        path: '/stream',
        output: { 200: streamed('text/event-stream') },
        run: () => Readable.from(['data: 1\n\n', 'data: 2\n\n']),
      }),
      route({
        ...declared,
        path: '/fhir',
        output: { 200: openJson('application/fhir+json') },
        run: () => ({ resourceType: 'Patient' }),
      }),
      route({ ...declared, path: '/away', output: { 303: nothing }, run: () => redirect(303, '/page') }),
      route({ ...declared, path: '/nothing', output: { 204: nothing }, run: async () => {} }),
    ])
    const answer = await fetch(server.url + path, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([status, type, body])
  })

  it('lets a stream go when only the head is asked for', async () => {
    const stream = new Readable({ read() {} })
    const watch = route({
      ...{ method: 'GET', path: '/watch', who: anyone, summary: 'Tells without end' },
      output: { 200: streamed('text/event-stream') },
      run: () => stream,
    })
    await using server = await testServer([watch])
    const answer = await fetch(`${server.url}/watch`, { method: 'HEAD' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    expect(stream.destroyed).toBe(true)
  })

  it('may leave its body optional', async () => {
    const take = route({
      method: 'POST',
      path: '/take',
      who: anyone,
      summary: 'Takes a reason or none',
      input: { body: optional(object({ reason: text() })) },
      output: { 200: object({ reason: text() }) },
      run: ({ body }) => ({ reason: body?.reason ?? 'none' }),
    })
    await using server = await testServer([take])
    const post = (init: RequestInit) => fetch(`${server.url}/take`, { method: 'POST', ...init })
    const headers = { 'content-type': 'application/json' }
    expect(await (await post({})).json()).toEqual({ reason: 'none' })
    expect(await (await post({ headers })).json()).toEqual({ reason: 'none' })
    expect(await (await post({ headers, body: '{"reason":"x"}' })).json()).toEqual({ reason: 'x' })
    expect((await post({ headers, body: '{}' })).status).toBe(400)
  })

  it('is held to its schemas by the type checker', () => {
    const declared = { method: 'GET', path: '/x', summary: 'x', output: { 200: Person } } as const
    const run = () => ({ name: 'Amina' })
    // @ts-expect-error who has no default
    route({ ...declared, run })
    // @ts-expect-error a name is a text
    route({ ...declared, who: anyone, run: () => ({ name: 1 }) })
    // @ts-expect-error 404 is not declared
    route({ ...declared, who: anyone, run: () => reply(404, { name: 'x' }) })
    // @ts-expect-error nobody is known
    route({ ...declared, who: anyone, run: ({ caller }) => ({ name: caller.subject }) })
    // @ts-expect-error the query declares no such parameter
    route({ ...declared, who: anyone, input: { query: { a: text() } }, run: ({ query }) => ({ name: query.b }) })
    expect(route({ ...declared, who: anyone, run })).toMatchObject({ path: '/x' })
  })
})
