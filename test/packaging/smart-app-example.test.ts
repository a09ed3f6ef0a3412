import { afterAll, beforeAll, expect, it } from 'vitest'
import { startChild, type Child } from '../../packages/testkit/child.ts'
import { freePort } from '../../packages/testkit/free-port.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { answerOf } from '../../services/auth/testing/smart-app.ts'
import { TestBrowser } from '../../services/auth/testing/test-browser.ts'

let corridor: TestCorridor
let app: Child
let appUrl: string
beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'fhir'] })
  const port = await freePort()
  appUrl = `http://127.0.0.1:${port}`
  app = await startChild({
    script: new URL('../../docs/examples/smart-app.js', import.meta.url),
    env: { FHIR_BASE: corridor.url('fhir'), PORT: String(port) },
  })
  await app.waitForLine(/^Open /)
})
afterAll(async () => {
  await app?.[Symbol.asyncDispose]()
  await corridor?.[Symbol.asyncDispose]()
})

it('signs a patient in and shows their immunizations', async () => {
  const sent = await fetch(appUrl, { redirect: 'manual' })
  const request = new URL(sent.headers.get('location') ?? '')
  const browser = new TestBrowser(request.origin)
  const waiting = answerOf(await browser.get(request.pathname + request.search)).get('request') ?? ''
  const back = await browser.follow(await browser.signIn('patient', 'demo', { request: waiting }))
  const { search } = new URL(back.headers.get('location') ?? '')

  const shown = await (await fetch(`${appUrl}/callback${search}`)).text()
  expect(shown).toContain('Patient amina-diallo, scopes ')
  expect(shown.split('\n').length).toBeGreaterThan(3)

  // A code serves once, and so does a state.
  expect((await fetch(`${appUrl}/callback${search}`)).status).toBe(400)
})

it('begins no login at a server that a link names', async () => {
  const answer = await fetch(`${appUrl}/launch?iss=https://elsewhere.example/fhir&launch=x`, { redirect: 'manual' })
  expect(answer.status).toBe(400)
})
