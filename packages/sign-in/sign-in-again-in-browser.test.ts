import type { Request } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock as clock } from '../clock/clock.ts'
import { systemIds as ids } from '../clock/ids.ts'
import { page as pageOf, redirect } from '../http/answer.ts'
import { formType } from '../http/body.ts'
import { html, nothing } from '../http/content.ts'
import { object, text } from '../http/fields.ts'
import { makeOutbound } from '../http/outbound/outbound.ts'
import { routeFor } from '../http/route.ts'
import { testServer, textVerifier } from '../http/testing/test-server.ts'
import { anyone } from '../http/who.ts'
import { silentLog as log } from '../log/log.ts'
import { Metrics } from '../metrics/metrics.ts'
import { openDatabase } from '../sql/database.ts'
import { migrate } from '../sql/migrate/migrate.ts'
import { openBrowser, openBrowserMsMax, type TestBrowser } from '../testkit/browser/browser.ts'
import { freePort } from '../testkit/free-port.ts'
import { testDatabase } from '../testkit/test-database.ts'
import { viewAssets } from '../views/assets.ts'
import { servedAssets } from '../views/served-assets.ts'
import { signInMigrations } from './migrations.ts'
import { signInAgain } from './sign-in-again.tsx'
import { SignIn } from './sign-in.ts'
import { writing } from './visiting.ts'

const world = new AsyncDisposableStack()
/** Not https, and not this machine by a name that says so: browsers tell it nothing of the site. */
const untrusted = 'pilot.test'
let browser: TestBrowser
let port: number

const route = routeFor<{ readonly signIn: SignIn; readonly assetUrl: (name: string) => string }>()
const form = '<form method="post" action="/notes"><input name="note" aria-label="Note"><button>Keep</button></form>'
const writeNote = route({
  ...{ method: 'GET', path: '/new', who: anyone, summary: 'Writes a note', output: { 200: html } },
  run: () => pageOf(`<!doctype html><html lang="en"><title>New</title>${form}</html>`),
})
const keepNote = route({
  ...{ method: 'POST', path: '/notes', who: writing('CLINICIAN'), summary: 'Keeps a note', accepts: [formType] },
  input: { body: object({ note: text({ max: 100 }) }) },
  output: { 303: nothing, 307: nothing },
  run: () => redirect(303, '/new'),
})

beforeAll(async () => {
  browser = world.use(await openBrowser({ names: [untrusted] }))
  const { url } = world.use(await testDatabase())
  await migrate(url, [signInMigrations])
  const database = world.adopt(await openDatabase({ url, log }), (open) => open.close())
  port = await freePort()
  const publicUrl = `http://${untrusted}:${port}`
  const authUrl = 'http://127.0.0.1:9'
  const limits = { deadlineMs: 5_000, responseBytesMax: 65_536 }
  const outbound = world.adopt(
    makeOutbound({ ...limits, origins: [authUrl], clock, log, metrics: new Metrics() }),
    (open) => open.close(),
  )
  const signIn = new SignIn(
    {
      ...{ service: 'tested', serviceUrl: publicUrl, authUrl, fhirUrl: `${authUrl}/fhir` },
      ...{ clientId: 'tested', sessionSeconds: 3_600, idleSeconds: 600 },
    },
    { database, clock, ids, outbound, verifier: textVerifier },
  )
  const kit = servedAssets(viewAssets())
  const deps = { signIn, assetUrl: kit.urlOf }
  world.use(
    await testServer<typeof deps>([signInAgain, writeNote, keepNote, ...kit.routes], {
      deps,
      publicUrl,
      listen: { port },
    }),
  )
}, openBrowserMsMax)
afterAll(() => world.disposeAsync())

it.each(['localhost', untrusted])('a form whose session is over comes back whole from %s', async (name) => {
  await using page = await browser.page({
    expectedErrors: [/Cross-Origin-Opener-Policy header has been ignored/],
  })
  const sent: Request[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request)
  })
  await page.goto(`http://${name}:${port}/new`)
  await page.getByLabel('Note').fill('Typed once')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Please sign in again' }).waitFor()
  expect(await page.locator('input[name="note"]').inputValue()).toBe('Typed once')
  const headers = await Promise.all(sent.map((request) => request.allHeaders()))
  const isTrusted = name !== untrusted
  expect(headers.map((each) => [each['sec-fetch-mode'], each['origin']])).toEqual(
    sent.map(() => [isTrusted ? 'navigate' : undefined, `http://${name}:${port}`]),
  )
  expect(sent).toHaveLength(2)
})
