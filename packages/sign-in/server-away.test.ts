import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock as clock } from '../clock/clock.ts'
import { systemIds as ids } from '../clock/ids.ts'
import { redirect } from '../http/answer.ts'
import { formType } from '../http/body.ts'
import { nothing } from '../http/content.ts'
import { object, text } from '../http/fields.ts'
import { makeOutbound } from '../http/outbound/outbound.ts'
import { routeFor } from '../http/route.ts'
import { testServer, textVerifier, type TestServer } from '../http/testing/test-server.ts'
import { silentLog as log } from '../log/log.ts'
import { Metrics } from '../metrics/metrics.ts'
import { openDatabase } from '../sql/database.ts'
import { migrate } from '../sql/migrate/migrate.ts'
import { pass, refuse } from '../testkit/fault-modes.ts'
import { startFaultProxy, type FaultProxy } from '../testkit/fault-proxy.ts'
import { testDatabase } from '../testkit/test-database.ts'
import { latinIn } from '../views/words/testing/latin-in.ts'
import { signInMigrations } from './migrations.ts'
import { signInRoutes } from './routes.ts'
import { SignIn } from './sign-in.ts'
import { writing } from './visiting.ts'

const world = new AsyncDisposableStack()
let answer: (response: ServerResponse) => void
const authorizationServer = createServer((_request, response) => answer(response))
let server: TestServer
let databaseLink: FaultProxy
let signIn: SignIn

const keepNote = routeFor<{ readonly signIn: SignIn }>()({
  ...{ method: 'POST', path: '/notes', who: writing('CLINICIAN'), summary: 'Keeps a note', accepts: [formType] },
  input: { body: object({ note: text({ max: 100 }) }) },
  output: { 303: nothing, 307: nothing },
  run: () => redirect(303, '/'),
})

beforeAll(async () => {
  authorizationServer.listen(0, '127.0.0.1')
  await once(authorizationServer, 'listening')
  world.defer(() => void authorizationServer.close())
  // Sound: a server that listens on TCP has an address with a port.
  const authUrl = `http://127.0.0.1:${(authorizationServer.address() as AddressInfo).port}`
  const { url } = world.use(await testDatabase())
  await migrate(url, [signInMigrations])
  databaseLink = world.use(await startFaultProxy({ port: Number(new URL(url).port) }))
  const linked = Object.assign(new URL(url), { host: `127.0.0.1:${databaseLink.port}` }).href
  const database = world.adopt(await openDatabase({ url: linked, poolMax: 4, log }), (open) => open.close())
  const limits = { deadlineMs: 5_000, responseBytesMax: 65_536 }
  const outbound = world.adopt(
    makeOutbound({ ...limits, origins: [authUrl], clock, log, metrics: new Metrics() }),
    (open) => open.close(),
  )
  signIn = new SignIn(
    {
      ...{ service: 'tested', serviceUrl: 'http://127.0.0.1:1', authUrl, fhirUrl: `${authUrl}/fhir` },
      ...{ clientId: 'tested', sessionSeconds: 3_600, idleSeconds: 600 },
    },
    { database, clock, ids, outbound, verifier: textVerifier },
  )
  const deps = { signIn, assetUrl: (name: string) => `/assets/${name}` }
  server = world.use(await testServer<typeof deps>([...signInRoutes, keepNote], { deps }))
})
afterAll(() => world.disposeAsync())

/** Begins a sign-in, and comes back with a code. */
async function comeBack(accept: string, language = 'en'): Promise<Response> {
  const at = `http://127.0.0.1:${server.port}/sign-in`
  const begun = await fetch(`${at}?to=${encodeURIComponent('/list?page=2&sort=name')}`, { redirect: 'manual' })
  const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? ''
  const [cookie = ''] = (begun.headers.get('set-cookie') ?? '').split(';')
  return fetch(`${at}/callback?${new URLSearchParams({ code: 'a-code', state })}`, {
    headers: { accept, cookie, 'accept-language': language },
    redirect: 'manual',
  })
}

const says = (status: number, body: string) => (response: ServerResponse) => void response.writeHead(status).end(body)

describe('an authorization server that', () => {
  it.each<[string, (response: ServerResponse) => void]>([
    ['has no database', says(503, '{"error":"temporarily_unavailable"}')],
    ['is a proxy without one behind it', says(502, '<h1>Bad Gateway</h1>')],
    ['has a bug', says(500, '{"error":"server_error"}')],
    ['has too much to do', says(429, '{"error":"temporarily_unavailable"}')],
    ['answers nonsense', says(200, '<h1>Hello</h1>')],
    ['hangs up', (response) => void response.destroy()],
  ])('%s is said to be away, and trying again begins again on the way to the same page', async (_what, does) => {
    answer = does
    const page = await comeBack('text/html')
    expect([page.status, page.headers.get('retry-after'), page.headers.get('cache-control')]).toEqual([
      ...[503, '5', 'no-store'],
    ])
    const said = await page.text()
    expect(said).toContain('The authorization server does not answer')
    expect(said).toMatch(/href="\/sign-in\?to=%2Flist%3Fpage%3D2%26sort%3Dname"[^>]*>\s*Try again/)
    const told = await comeBack('application/json')
    expect([told.status, told.headers.get('retry-after'), told.headers.get('content-type')]).toEqual([
      ...[503, '5', 'application/problem+json'],
    ])
  })

  it('is away is said to be so in the language of whoever wanted to sign in', async () => {
    answer = says(503, '{}')
    const page = await (await comeBack('text/html', 'ar-EG')).text()
    expect(page).toMatch(/^<!doctype html><html lang="ar" dir="rtl">/)
    expect(latinIn(page)).toEqual([])
  })

  it('refuses the code has signed nobody in', async () => {
    answer = says(400, '{"error":"invalid_grant"}')
    const told = await comeBack('application/json')
    expect([told.status, await told.json()]).toEqual([401, expect.objectContaining({ code: 'SIGN_IN_REFUSED' })])
  })
})

it('gives a form back whose sender cannot be looked up, since the database is away', async () => {
  await databaseLink.set(refuse)
  const sent = await sendByHand('/notes', 'note=two+lines')
  expect([sent.statusCode, sent.headers.location]).toEqual([307, '/sign-in/again?to=%2Fnotes&why=away'])
  const given = await fetch(`http://127.0.0.1:${server.port}${sent.headers.location ?? ''}`, {
    ...{ method: 'POST', body: new URLSearchParams({ note: 'two lines' }) },
  })
  expect(given.status).toBe(200)
  const page = await given.text()
  expect(page).toMatch(/action="\/notes"[^]*name="note" value="two lines"[^]*Send it again/)
  expect(page).not.toContain('session is over')
  await databaseLink.set(pass)
  // Now it is known that nobody has such a session.
  expect((await sendByHand('/notes', 'note=two+lines')).headers.location).toBe('/sign-in/again?to=%2Fnotes')
})

/** As a browser does when a button is pressed, with the cookie of a session. */
async function sendByHand(path: string, body: string): Promise<IncomingMessage> {
  const headers = {
    ...{ 'content-type': formType, 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' },
    cookie: `${signIn.cookieName}=${'s'.repeat(43)}`,
  }
  const sent = httpRequest({ ...{ host: '127.0.0.1', port: server.port, path, headers }, method: 'POST' })
  sent.end(body)
  // Sound: the event of an answer comes with one.
  const [answered] = (await once(sent, 'response')) as [IncomingMessage]
  answered.resume()
  return answered
}
