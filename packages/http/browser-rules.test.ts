import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultOf } from '../faults/fault.ts'
import { page, redirect, reply } from './answer.ts'
import { bytes, html, nothing } from './content.ts'
import { clearCookie, parseCookies, setCookie } from './cookies.ts'
import { checkSameOrigin } from './csrf.ts'
import { object, text } from './fields.ts'
import { route } from './route.ts'
import { testServer, type TestServer } from './testing/test-server.ts'
import { anyone, guard, roles } from './who.ts'

const data = route({
  method: 'GET',
  path: '/data',
  who: anyone,
  summary: 'Data',
  output: { 200: object({ a: text() }) },
  run: () => ({ a: 'x' }),
})
const formPage = route({
  method: 'GET',
  path: '/page',
  who: anyone,
  summary: 'Page',
  output: { 200: html },
  run: () => page('<p>x</p>', { formTargets: ['http://app.example'] }),
})
const cameraPage = route({
  method: 'GET',
  path: '/camera',
  who: anyone,
  summary: 'Page',
  output: { 200: html },
  run: () => page('<p>x</p>', { headers: { 'permissions-policy': 'camera=(self)' } }),
})
const plainPage = route({
  method: 'GET',
  path: '/plain',
  who: anyone,
  summary: 'Page',
  output: { 200: html },
  run: () => '<p>x</p>',
})
const sentOn = route({
  method: 'GET',
  path: '/sent-on',
  who: anyone,
  summary: 'Sends a form on',
  output: { 307: nothing },
  run: () => redirect(307, '/page'),
})
const cached = route({
  ...data,
  method: 'GET',
  path: '/cached',
  output: { 200: object({ a: text() }) },
  cors: 'anyone',
  cache: 'public, max-age=60',
  run: () => ({ a: 'x' }),
})

describe('every answer', () => {
  it.each([
    ['/data', 'no-referrer'],
    ['/page', 'same-origin'],
    ['/sent-on', 'same-origin'],
    ['/nowhere', 'no-referrer'],
    ['/actuator/health', 'no-referrer'],
    ['/docs/openapi.json', 'no-referrer'],
  ])('at %s has the headers that protect, and says where it came from to %s', async (path, referrerPolicy) => {
    await using server = await testServer([data, formPage, sentOn])
    const { headers } = await fetch(server.url + path, { redirect: 'manual' })
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': referrerPolicy,
      'cache-control': 'no-store',
      pragma: 'no-cache',
      'content-security-policy': expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'/),
    })
    expect(headers.get('strict-transport-security')).toBeNull()
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('keeps a page from the devices of its reader, unless it says which it needs', async () => {
    await using server = await testServer([cameraPage, plainPage])
    const devices = async (path: string) => (await fetch(server.url + path)).headers.get('permissions-policy')
    expect(await devices('/plain')).toContain('camera=()')
    expect(await devices('/camera')).toBe('camera=(self)')
  })

  it('parts a page from the window that opened it, unless its route says that this one waits for it', async () => {
    const common = { path: '/login', who: anyone, summary: 'Login', keepsOpener: true } as const
    const loginPage = route({ ...common, method: 'GET', output: { 200: html }, run: () => '<p>x</p>' })
    const run = () => redirect(303, '/plain')
    const login = route({ ...common, method: 'POST', output: { 303: nothing }, run })
    await using server = await testServer([loginPage, login, plainPage])
    const policy = async (path: string, method = 'GET') =>
      (await fetch(server.url + path, { method, redirect: 'manual' })).headers.get('cross-origin-opener-policy')
    expect([await policy('/plain'), await policy('/actuator/health')]).toEqual(['same-origin', 'same-origin'])
    expect([await policy('/login'), await policy('/login', 'POST')]).toEqual(['unsafe-none', 'unsafe-none'])
  })

  it('is held to https where that is how it is reached, and no other server of the domain with it', async () => {
    await using server = await testServer([data], { publicUrl: 'https://corridor.example' })
    const answer = await fetch(`${server.addresses[0]}/data`)
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000')
  })

  it('may be a page with its own files, without inline script or style, whose forms go where it says', async () => {
    await using server = await testServer([formPage, plainPage])
    const policy = async (path: string) => (await fetch(server.url + path)).headers.get('content-security-policy') ?? ''
    expect(await policy('/page')).toMatch(/script-src 'self';.*form-action 'self' http:\/\/app.example$/)
    expect(await policy('/plain')).not.toContain('form-action')
    expect(await policy('/plain')).not.toContain('unsafe')
  })

  it('reaches nobody where it is no page, unless it is the script of a worker that says whom it asks', async () => {
    const policy = "default-src 'none'; connect-src 'self'"
    const worker = route({
      ...{ method: 'GET', path: '/worker', who: anyone, summary: 'Worker' },
      output: { 200: bytes('text/javascript') },
      run: () => reply(200, Buffer.from(''), { 'content-security-policy': policy }),
    })
    await using server = await testServer([data, worker])
    const told = async (path: string) => (await fetch(server.url + path)).headers.get('content-security-policy')
    expect(await told('/worker')).toBe(policy)
    expect(await told('/data')).not.toContain('connect-src')
  })

  it('may be kept only where its route says so', async () => {
    await using server = await testServer([cached])
    const { headers } = await fetch(`${server.url}/cached`)
    expect(headers.get('cache-control')).toBe('public, max-age=60')
    expect(headers.get('pragma')).toBeNull()
  })
})

describe('a request id', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer([data])
  })
  afterAll(() => server.close())

  const traceId = 'a'.repeat(32)
  const madeHere = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]{21}$/
  it.each([
    [{ 'x-request-id': '0198C1E2-8f2b-7c3d-9a4e-5b6c7d8e9f01' }, /^0198C1E2-8f2b-7c3d-9a4e-5b6c7d8e9f01$/],
    [{ 'x-request-id': '1'.repeat(32) }, /^1{32}$/],
    [{ 'x-request-id': '4bf92f3577b34da6' }, /^4bf92f3577b34da6$/],
    [{ 'x-request-id': '01ARZ3NDEKTSV4RRFFQ69G5FAV' }, /^01ARZ3NDEKTSV4RRFFQ69G5FAV$/],
    [{ 'x-request-id': 'a'.repeat(65) }, madeHere],
    [{ 'x-request-id': 'Amina Diallo' }, madeHere],
    [{ 'x-request-id': 'Amina.Diallo-1984-03-12' }, madeHere],
    [{ 'x-request-id': 'order-17' }, madeHere],
    [{ 'x-request-id': '1984031255512345' }, madeHere],
    [{ traceparent: `00-${traceId}-${'b'.repeat(16)}-01` }, /^a{32}$/],
    [{ traceparent: `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01` }, /^[0-9a-f-]{36}$/],
    [{ traceparent: 'garbage' }, /^[0-9a-f-]{36}$/],
  ])('of %j is taken when well formed, and else made', async (headers, expected) => {
    const answer = await fetch(`${server.url}/data`, { headers: headers as Record<string, string> })
    expect(answer.headers.get('x-request-id')).toMatch(expected)
  })
})

describe('CORS', () => {
  const some = route({
    method: 'POST',
    path: '/some',
    who: roles('ADMIN'),
    summary: 'Some',
    output: { 204: nothing },
    cors: (origin, { friends }: { friends: string[] }) => friends.includes(origin),
    run: () => undefined,
  })
  const options = { deps: { friends: ['http://app.example'] } }

  let server: TestServer
  beforeAll(async () => {
    server = await testServer([cached, data, some], options)
  })
  afterAll(() => server.close())

  it.each([
    ['/cached', 'http://any.example', '*'],
    ['/cached', 'null', '*'],
    ['/data', 'http://any.example', null],
    ['/some', 'http://app.example', 'http://app.example'],
    ['/some', 'http://app.example.evil', null],
    ['/some', 'null', null],
  ])('%s from %s allows %s, on a refusal too', async (path, origin, allowed) => {
    const method = path === '/some' ? 'POST' : 'GET'
    const answer = await fetch(server.url + path, { method, headers: { origin } })
    expect(answer.headers.get('access-control-allow-origin')).toBe(allowed)
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.status).toBe(path === '/some' ? 401 : 200)
    expect(answer.headers.get('vary')).toBe(path === '/some' ? 'Origin' : null)
  })

  it('a page reads that an address does not take its method, instead of a word about CORS', async () => {
    const allowed = async (path: string, method: string, origin: string) => {
      const { status, headers } = await fetch(server.url + path, { method, headers: { origin } })
      return [status, headers.get('access-control-allow-origin')]
    }
    expect(await allowed('/some', 'GET', 'http://app.example')).toEqual([405, 'http://app.example'])
    expect(await allowed('/some', 'GET', 'http://evil.example')).toEqual([405, null])
    expect(await allowed('/cached', 'POST', 'http://any.example')).toEqual([405, '*'])
    expect(await allowed('/data', 'POST', 'http://any.example')).toEqual([405, null])
  })

  it('a page reads that there is nothing at an address, where it may read what is beside it', async () => {
    const answerTo = async (path: string, origin: string, init: RequestInit = {}) => {
      const headers = { origin, ...(init.headers as Record<string, string>) }
      const answer = await fetch(server.url + path, { ...init, headers })
      return [answer.status, answer.headers.get('access-control-allow-origin')]
    }
    const preflight = { method: 'OPTIONS', headers: { 'access-control-request-method': 'GET' } }
    expect(await answerTo('/some/thing', 'http://app.example')).toEqual([404, 'http://app.example'])
    expect(await answerTo('/some/thing', 'http://app.example', preflight)).toEqual([204, 'http://app.example'])
    expect(await answerTo('/some/thing', 'http://evil.example')).toEqual([404, null])
    expect(await answerTo('/some/thing', 'http://evil.example', preflight)).toEqual([404, null])
    expect(await answerTo('/some/thing', 'http://app.example', { method: 'OPTIONS' })).toEqual([
      404,
      'http://app.example',
    ])
    expect(await answerTo('/data/thing', 'http://app.example')).toEqual([404, null])
    expect(await answerTo('/nothing', 'http://app.example', preflight)).toEqual([404, null])
  })

  it.each([
    ['/some', 'http://app.example', 'http://app.example', 'POST, OPTIONS'],
    ['/some', 'http://evil.example', null, null],
    ['/data', 'http://app.example', null, null],
  ])('answers a preflight for %s from %s', async (path, origin, allowed, methods) => {
    const headers = { origin, 'access-control-request-method': 'POST' }
    const answer = await fetch(server.url + path, { method: 'OPTIONS', headers })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe(allowed)
    expect(answer.headers.get('access-control-allow-methods')).toBe(methods)
  })
})

function refusalOf(check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    return faultOf(error).code
  }
}

describe('the same-origin rule', () => {
  const own = ['http://127.0.0.1:9000']
  it.each([
    [{}, true],
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'none' }, true],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ 'sec-fetch-site': 'cross-site', origin: 'http://127.0.0.1:9000' }, false],
    [{ 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:9000' }, true],
    [{ origin: 'http://127.0.0.1:9000' }, true],
    [{ origin: 'http://127.0.0.1:8084' }, false],
    [{ origin: 'http://127.0.0.1:9000.evil' }, false],
    [{ origin: 'null' }, false],
  ])('%j passes: %s', (headers, passes) => {
    expect(refusalOf(() => checkSameOrigin(headers, own))).toBe(passes ? undefined : 'FOREIGN_ORIGIN')
  })

  it('holds by itself where a guard reads a cookie, and where a route asks for it', async () => {
    const declared = { method: 'POST', summary: 'x', output: { 303: nothing }, run: () => redirect(303, '/') } as const
    const guarded = route({ ...declared, path: '/guarded', who: guard('a session', () => ({ subject: 'x' })) })
    const login = route({ ...declared, path: '/login', who: anyone, sameOrigin: true })
    const open = route({ ...declared, path: '/open', who: anyone })
    await using server = await testServer([guarded, login, open])
    const status = async (path: string, origin: string) =>
      (await fetch(server.url + path, { method: 'POST', redirect: 'manual', headers: { origin } })).status
    for (const path of ['/guarded', '/login']) {
      expect(await status(path, server.url)).toBe(303)
      expect(await status(path, server.url.replace('127.0.0.1', 'localhost'))).toBe(303)
      expect(await status(path, 'http://127.0.0.1:1')).toBe(403)
    }
    expect(await status('/open', 'http://127.0.0.1:1')).toBe(303)
  })
})

describe('cookies', () => {
  it('are bound to the host under https and never readable by scripts', () => {
    expect(setCookie('auth', 'abc', { isSecure: true, maxAgeSeconds: 60 })).toBe(
      '__Host-auth=abc; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60',
    )
    expect(setCookie('auth', 'abc', { isSecure: false })).toBe('auth=abc; Path=/; HttpOnly; SameSite=Lax')
    expect(clearCookie('auth', { isSecure: false })).toContain('Max-Age=0')
  })

  it.each(['a;b', 'a b', 'a\r\nSet-Cookie: x', 'a"'])('may not hold %j', (value) => {
    expect(() => setCookie('auth', value, { isSecure: false })).toThrow('sign that is not allowed')
  })

  it('are read from their header, the first of a name counting', () => {
    const cookies = parseCookies('a=1; b="two"; a=3; =x; c; d=x=y')
    expect([...cookies]).toEqual([
      ['a', '1'],
      ['b', 'two'],
      ['d', 'x=y'],
    ])
    expect(parseCookies(undefined).size).toBe(0)
  })
})
