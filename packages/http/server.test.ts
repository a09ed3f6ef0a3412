import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { reply } from './answer.ts'
import { integer, list, oneOf, text } from './fields.ts'
import { route, routeFor } from './route.ts'
import { bearer, testServer } from './test-server.ts'
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
})
