import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unauthenticated, unavailable } from '../faults/fault.ts'
import type { Role } from '../tokens/caller.ts'
import { redirect, type Reply } from './answer.ts'
import { nothing } from './content.ts'
import type { FailedPage } from './error-answer.ts'
import type { IncomingRequest } from './request.ts'
import { route } from './route.ts'
import { bearer, testServer, type TestServer } from './testing/test-server.ts'
import { TestSocket } from './testing/test-socket.ts'
import {
  allowed,
  anyone,
  anyoneKnownIfSignedIn,
  guard,
  loopback,
  roles,
  scopes,
  roleWithScope,
  scopesOrRole,
  signedIn,
  type Who,
} from './who.ts'

const Name = Type.Object({ name: Type.String() })

function echo(path: string, who: Who) {
  return route({
    method: 'POST',
    path,
    who,
    summary: 'Says who calls',
    input: { body: Name },
    output: { 200: Type.Object({ caller: Type.Union([Type.String(), Type.Null()]) }) },
    run: ({ caller }) => ({ caller: subjectOf(caller) }),
  })
}

const subjectOf = (caller: unknown) =>
  typeof caller === 'object' && caller !== null && 'subject' in caller ? String(caller.subject) : null

const routes = [
  echo('/anyone', anyone),
  echo('/either', anyoneKnownIfSignedIn),
  echo('/signed-in', signedIn),
  echo('/roles', roles('CLINICIAN', 'ADMIN')),
  echo('/scopes', scopes('read', 'write')),
  echo('/role-with-scope', roleWithScope('ADMIN', 'see', 'look')),
  echo('/scopes-or-role', scopesOrRole(['read', 'write'], { role: 'CLINICIAN', scope: 'see' })),
  echo(
    '/allowed',
    allowed('owners of a grant', (caller) => caller.grantId !== undefined),
  ),
  echo('/loopback', loopback),
  echo(
    '/session',
    guard('a session', (request) => {
      const session = request.cookies.get('session')
      if (session === undefined) throw unauthenticated('Sign in first.')
      return { subject: session }
    }),
  ),
  route({
    method: 'GET',
    path: '/page',
    who: guard('a session', sessionOrLogin, {
      roles: ['ADMIN', 'CLINICIAN'],
      rolesOf: ({ held }) => held,
      says: 'This page is for the staff.',
    }),
    summary: 'Says who looks',
    output: { 200: Type.Object({ caller: Type.String() }), 302: nothing },
    run: ({ caller }) => ({ caller: caller.subject }),
  }),
]

/** `session=amina.PATIENT` is one of a patient. */
function sessionOrLogin(request: IncomingRequest): Reply | { subject: string; held: readonly Role[] } {
  const [subject, ...held] = request.cookies.get('session')?.split('.') ?? []
  return subject === undefined ? redirect(302, '/login') : { subject, held: held as Role[] }
}

const post = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{"name":"x"}' })

let server: TestServer
beforeAll(async () => {
  server = await testServer(routes)
})
afterAll(() => server.close())

describe('who may call', () => {
  it.each([
    ['/anyone', undefined, 200, null],
    ['/anyone', 'broken', 200, null],
    ['/either', undefined, 200, null],
    ['/either', 'ADMIN~', 200, 'dr-amara'],
    ['/either', 'broken', 401, undefined],
    ['/signed-in', 'PATIENT~', 200, 'dr-amara'],
    ['/signed-in', undefined, 401, undefined],
    ['/signed-in', 'broken', 401, undefined],
    ['/roles', 'ADMIN~', 200, 'dr-amara'],
    ['/roles', 'PATIENT~', 403, undefined],
    ['/roles', undefined, 401, undefined],
    ['/scopes', '~write', 200, 'dr-amara'],
    ['/scopes', '~writer', 403, undefined],
    ['/scopes-or-role', '~write', 200, 'dr-amara'],
    ['/scopes-or-role', 'CLINICIAN~see', 200, 'dr-amara'],
    ['/scopes-or-role', 'CLINICIAN~other', 403, undefined],
    ['/scopes-or-role', 'PATIENT~see', 403, undefined],
    ['/role-with-scope', 'ADMIN~see', 200, 'dr-amara'],
    ['/role-with-scope', 'CLINICIAN+ADMIN~look', 200, 'dr-amara'],
    ['/role-with-scope', 'ADMIN~other', 403, undefined],
    ['/role-with-scope', 'CLINICIAN~see', 403, undefined],
    ['/allowed', 'ADMIN~', 403, undefined],
    ['/loopback', undefined, 200, null],
    ['/session', 'ADMIN~', 401, undefined],
  ])('%s with the token %s is answered %i', async (path, token, status, caller) => {
    const answer = await post(server.url + path, token === undefined ? {} : bearer(token))
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject(caller === undefined ? { status } : { caller })
  })

  it.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])(
    'takes nobody for a program of this machine who comes through a proxy (%s)',
    async (header) => {
      expect((await post(`${server.url}/loopback`, { [header]: '127.0.0.1' })).status).toBe(404)
    },
  )

  it.each([
    ['localhost', 200],
    ['LOCALHOST:9000', 200],
    ['127.0.0.1:9000', 200],
    ['[::1]:9000', 200],
    ['evil.example', 404],
    ['localhost.evil.example', 404],
    ['localhost@evil.example', 404],
    ['', 404],
  ])('takes for a program of this machine who asks %j for it: %i', async (host, status) => {
    using socket = await TestSocket.open(server.url)
    const head = ['POST /loopback HTTP/1.1', `host: ${host}`, 'content-type: application/json', 'content-length: 12']
    socket.write([...head, 'connection: close', '', '{"name":"x"}'].join('\r\n'))
    expect(await socket.until('\r\n')).toContain(`HTTP/1.1 ${status} `)
  })

  it('lets a guard find the caller by a cookie', async () => {
    const answer = await post(`${server.url}/session`, { cookie: 'session=amina' })
    expect(await answer.json()).toEqual({ caller: 'amina' })
  })

  it.each([
    ['amara.CLINICIAN', 200],
    ['amina.PATIENT', 403],
    ['amina', 403],
    ['amina.clinician', 403],
    ['amara.PATIENT.ADMIN', 200],
  ])('holds who a guard found (%s) against the roles that are declared', async (session, status) => {
    const answer = await fetch(`${server.url}/page`, { headers: { cookie: `session=${session}` } })
    expect(answer.status).toBe(status)
    expect(await answer.text()).toContain(status === 200 ? 'amara' : 'This page is for the staff.')
  })

  it('tells the page about a refusal who was refused', async () => {
    const htmlError = (_problem: unknown, _id: string, { caller }: FailedPage) => `sorry, ${subjectOf(caller)}`
    await using framed = await testServer(routes, { htmlError })
    const headers = { cookie: 'session=amina.PATIENT', accept: 'text/html' }
    expect(await (await fetch(`${framed.url}/page`, { headers })).text()).toBe('sorry, amina')
  })

  it('lets a guard send the caller elsewhere, with all headers of an answer', async () => {
    const answer = await fetch(`${server.url}/page`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/login'])
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('prints the roles of a guard', () => {
    const { who } = routes.find(({ path }) => path === '/page') ?? {}
    expect(who).toMatchObject({ printed: 'a session with the role ADMIN or CLINICIAN', roles: ['ADMIN', 'CLINICIAN'] })
  })

  it.each([
    ['/roles', {}, 'Bearer realm="corridor"'],
    [
      '/roles',
      bearer('broken'),
      'Bearer realm="corridor", error="invalid_token", error_description="The access token is not valid."',
    ],
    ['/roles', { authorization: 'Bearer  ' }, /error="invalid_token"/],
    ['/scopes', bearer('~other'), /error="insufficient_scope".*scope="read write"/],
  ])('%s refuses with the words of RFC 6750', async (path, headers, challenge) => {
    const answer = await post(server.url + path, headers)
    expect(answer.headers.get('www-authenticate')).toMatch(challenge)
  })

  it('refuses two Authorization headers and a token in the address', async () => {
    using socket = await TestSocket.open(server.url)
    socket.write(
      'POST /roles HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ADMIN~\r\nAuthorization: Bearer ADMIN~\r\nContent-Length: 0\r\n\r\n',
    )
    expect(await socket.until('\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /)
    const answerTo = async (headers: Record<string, string>) => {
      const answer = await post(`${server.url}/roles?access_token=ADMIN~`, headers)
      return [answer.status, answer.headers.get('www-authenticate')]
    }
    // RFC 6750 section 3.1: no word of an error for a way that is not taken, `invalid_request` for two ways at once.
    expect(await answerTo({})).toEqual([401, 'Bearer realm="corridor"'])
    expect(await answerTo(bearer('ADMIN~'))).toEqual([400, expect.stringContaining('error="invalid_request"')])
  })

  it('answers 503 when the keys cannot be had, not 401', async () => {
    const verifier = { verify: () => Promise.reject(unavailable('The keys cannot be fetched.')) }
    await using broken = await testServer(routes, { verifier })
    const answer = await post(`${broken.url}/roles`, bearer('ADMIN~'))
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('5')
  })
})

describe('the body of a refused request', () => {
  it('is not waited for: the refusal comes while it is still being sent', async () => {
    using socket = await TestSocket.open(server.url)
    socket.write(
      'POST /roles HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500000\r\n\r\n{"na',
    )
    expect(await socket.until('\r\n\r\n')).toMatch(/^HTTP\/1.1 401 /)
  })

  it('is not asked for, and that of an accepted one is', async () => {
    const head = (token: string) =>
      `POST /roles HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 12\r\nExpect: 100-continue\r\n\r\n`
    using refused = await TestSocket.open(server.url)
    refused.write(head('bad'))
    const refusal = await refused.until('}')
    expect(refusal).toMatch(/^HTTP\/1.1 401 /)
    expect(refusal.toLowerCase()).toContain('connection: close')
    using accepted = await TestSocket.open(server.url)
    accepted.write(head('ADMIN~'))
    expect(await accepted.until('\r\n\r\n')).toMatch(/^HTTP\/1.1 100 Continue/)
    accepted.write('{"name":"x"}')
    expect(await accepted.until('dr-amara')).toContain('HTTP/1.1 200 OK')
  })

  it('closes the connection when it has no known end', async () => {
    using socket = await TestSocket.open(server.url)
    socket.write(
      'POST /roles HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"nam\r\n',
    )
    const heard = await socket.until('}')
    expect(heard).toMatch(/^HTTP\/1.1 401 /)
    await socket.closed
  })

  it('is not read for an address that does not exist', async () => {
    using socket = await TestSocket.open(server.url)
    socket.write('POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\nContent-Length: 500000\r\n\r\nx')
    expect(await socket.until('\r\n\r\n')).toMatch(/^HTTP\/1.1 404 /)
  })
})
