import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Type } from 'typebox'
import { SimulatedClock } from '../clock/simulated-clock.ts'
import {
  bug,
  conflict,
  incorrect,
  missing,
  tooMuch,
  unauthenticated,
  unavailable,
  type Fault,
} from '../faults/fault.ts'
import { nothing } from './content.ts'
import { text } from './fields.ts'
import { route, type RouteOptions } from './route.ts'
import { testServer, type TestServer } from './testing/test-server.ts'
import { TestSocket } from './testing/test-socket.ts'
import { anyone } from './who.ts'

const failing = (
  thrown: () => unknown,
  extra: Partial<RouteOptions<object, { 204: typeof nothing }, undefined, unknown>> = {},
) =>
  route({
    method: 'GET',
    path: '/fails',
    who: anyone,
    summary: 'Fails',
    output: { 204: nothing },
    run: () => {
      throw thrown()
    },
    ...extra,
  })

describe('a fault', () => {
  it('becomes a problem with its time', async () => {
    const clock = new SimulatedClock('2026-03-04T05:06:07Z')
    await using server = await testServer([failing(() => conflict('Someone else changed it.'))], { clock })
    const answer = await fetch(`${server.url}/fails`)
    expect(answer.status).toBe(409)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.json()).toEqual({
      type: 'about:blank',
      title: 'Conflict',
      status: 409,
      detail: 'Someone else changed it.',
      timestamp: '2026-03-04T05:06:07.000Z',
    })
  })

  it.each<[string, Fault, number, Record<string, string | null>]>([
    ['with its own wait', tooMuch('Wait.', { retryAfterSeconds: 17 }), 429, { 'retry-after': '17' }],
    ['without one', tooMuch('Wait.'), 429, { 'retry-after': '1' }],
    ['of a dependency', unavailable('Down.'), 503, { 'retry-after': '5' }],
    ['of a gateway', unavailable('Down.', { code: 'BAD_GATEWAY' }), 502, { 'retry-after': null }],
    [
      'of a client',
      unauthenticated('No.', { code: 'invalid_client' }),
      401,
      { 'www-authenticate': 'Basic realm="corridor"' },
    ],
  ])('%s carries its headers', async (_name, fault, status, headers) => {
    await using server = await testServer([failing(() => fault)])
    const answer = await fetch(`${server.url}/fails`)
    expect(answer.status).toBe(status)
    for (const [name, value] of Object.entries(headers)) expect(answer.headers.get(name)).toBe(value)
  })

  it.each([
    ['fhir', 'application/fhir+json; charset=utf-8', { resourceType: 'OperationOutcome' }],
    ['oauth', 'application/json', { error: 'invalid_grant', error_description: 'The code was used.' }],
  ] as const)('is told in the way of %s where the server or the route says so', async (errors, type, body) => {
    const fault = () => incorrect('The code was used.', { code: 'invalid_grant' })
    await using whole = await testServer([failing(fault)], { errors })
    await using one = await testServer([failing(fault, { errors })])
    for (const server of [whole, one]) {
      const answer = await fetch(`${server.url}/fails`)
      expect(answer.headers.get('content-type')).toBe(type)
      expect(await answer.json()).toMatchObject(body)
    }
  })

  it('is told where there is no route in the way of the routes that begin alike', async () => {
    const oauth = failing(() => missing('Not here.'), { path: '/oauth2/token', errors: 'oauth' })
    await using server = await testServer([oauth, failing(() => missing('Not here.'))])
    const ask = async (method: string, path: string) => {
      const answer = await fetch(server.url + path, { method })
      return [answer.status, answer.headers.get('content-type'), Object.keys((await answer.json()) as object)]
    }
    const told = ['application/json', ['error', 'error_description']]
    expect(await ask('GET', '/oauth2/nothing')).toEqual([404, ...told])
    expect(await ask('GET', '/oauth2?x=/y')).toEqual([404, ...told])
    expect(await ask('DELETE', '/oauth2/token')).toEqual([405, expect.stringContaining(told[0] as string), told[1]])
    expect((await ask('GET', '/oauth2-else'))[1]).toBe('application/problem+json')
    expect((await ask('GET', '/nothing/oauth2'))[1]).toBe('application/problem+json')
  })

  it.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['application/json', false],
    ['*/*', false],
    ['text/html;q=0.5, application/json', false],
    ['text/html, application/json', false],
    ['text/html, application/json;q=0.9', true],
  ])('is a page for whoever accepts %s: %s', async (accept, isPage) => {
    const htmlError = ({ detail }: { detail: string }) => `<p>${detail}</p>`
    await using server = await testServer([failing(() => missing('Not here.'))], { htmlError })
    const answer = await fetch(`${server.url}/fails`, { headers: { accept } })
    expect(answer.status).toBe(404)
    expect(await answer.text()).toMatch(isPage ? /^<p>Not here.<\/p>$/ : /^\{/)
  })

  it('is never a page where a route is for programs', async () => {
    const forPrograms = { ...failing(() => missing('Not here.')), isForPrograms: true }
    await using server = await testServer([forPrograms], { htmlError: () => '<p>Not here.</p>' })
    const answer = await fetch(`${server.url}/fails`, { headers: { accept: 'text/html' } })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
  })

  it('is never a page where an API is', async () => {
    const htmlError = () => '<p>Not here.</p>'
    await using server = await testServer([failing(() => missing('Not here.'))], { htmlError })
    for (const path of ['/api', '/api?x=1', '/api/nothing']) {
      const answer = await fetch(server.url + path, { headers: { accept: 'text/html' } })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
    }
    expect((await fetch(`${server.url}/api/nothing`)).headers.get('x-api-version')).toBe('1')
    expect((await fetch(`${server.url}/apis`)).headers.get('x-api-version')).toBeNull()
    expect(await (await fetch(`${server.url}/apis`, { headers: { accept: 'text/html' } })).text()).toBe(htmlError())
  })
})

describe('a bug', () => {
  it.each([
    ['thrown by us', () => bug('secret-thing is missing'), true],
    ['thrown by a library', () => new TypeError('duplicate key (name)=(secret-thing)'), false],
    ['of no kind at all', () => 'secret-thing', false],
  ])('%s is never in the answer', async (_name, thrown, isLogged) => {
    await using server = await testServer([failing(thrown)])
    const answer = await fetch(`${server.url}/fails`)
    expect(answer.status).toBe(500)
    expect(await answer.text()).not.toContain('secret-thing')
    const logged = server.logLines.find((line) => line.includes('request failed')) ?? ''
    expect(JSON.parse(logged)).toMatchObject({ level: 'error', faultKind: 'bug', route: '/fails' })
    expect(logged.includes('secret-thing')).toBe(isLogged)
    expect(JSON.parse(logged)).toHaveProperty('stack')
  })

  it('is an answer that lacks what its schema requires, or has a status that is not declared', async () => {
    const lacking = route({
      method: 'GET',
      path: '/lacking',
      who: anyone,
      summary: 'Lacks',
      output: { 200: Type.Object({ name: Type.String() }) },
      // Cast on purpose: this is what careless code would do.
      run: () => ({ nmae: 'x' }) as unknown as { name: string },
    })
    await using server = await testServer([lacking])
    expect((await fetch(`${server.url}/lacking`)).status).toBe(500)
  })
})

describe('an address', () => {
  const routes = [
    failing(() => missing('x')),
    route({
      method: 'PUT',
      path: '/things/:id',
      who: anyone,
      summary: 'Puts',
      input: { params: { id: text() } },
      output: { 204: nothing },
      run: () => undefined,
    }),
    route({
      ...{ method: 'POST', path: '/things/count', who: anyone, summary: 'Counts', output: { 204: nothing } },
      run: () => undefined,
    }),
  ]

  let server: TestServer
  beforeAll(async () => {
    server = await testServer(routes)
  })
  afterAll(() => server.close())

  it('without a route is 404, and says nothing more', async () => {
    const answer = await fetch(`${server.url}/nothing`)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ title: 'Not Found', detail: 'There is nothing at this address.' })
  })

  it.each([
    ['POST', '/fails', 'GET, HEAD, OPTIONS'],
    ['GET', '/things/7', 'PUT, OPTIONS'],
    ['DELETE', '/things/7?x=1', 'PUT, OPTIONS'],
    // Its name is not the id of a thing.
    ['PUT', '/things/count', 'POST, OPTIONS'],
    ['DELETE', '/things/count', 'POST, OPTIONS'],
  ])('that does not take %s %s is 405 and says what it takes', async (method, path, allow) => {
    const answer = await fetch(server.url + path, { method })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe(allow)
    expect(await answer.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })
  })

  it.each([
    ['/%zz', 400],
    ['/things/%2e%2e%2ffails', 405],
    ['//fails', 404],
    ['/FAILS', 404],
    ['/fails/', 404],
    ['/x/../fails', 404],
    ['http://elsewhere/fails', 404],
  ])('%s never reaches another route: %i', async (path, status) => {
    using socket = await TestSocket.open(server.url)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    await socket.closed
    expect(socket.heard).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(socket.heard.toLowerCase()).toContain('x-content-type-options: nosniff')
  })

  it('does not change by a method-override header', async () => {
    const answer = await fetch(`${server.url}/things/7`, { headers: { 'x-http-method-override': 'PUT' } })
    expect(answer.status).toBe(405)
  })
})
