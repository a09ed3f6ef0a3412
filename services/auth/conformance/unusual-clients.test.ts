import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { basic, SmartApp } from '../testing/smart-app.ts'
import { startTestAuth, type TestAuth } from '../testing/test-auth.tsx'
import type { TestBrowser } from '../testing/test-browser.ts'

let auth: TestAuth
let browser: TestBrowser
beforeAll(async () => {
  auth = await startTestAuth()
  browser = auth.browser()
  await browser.signIn()
})
afterAll(() => auth?.[Symbol.asyncDispose]())

/** As Java's URLConnection sends it where nobody says otherwise. */
const javaAccepts = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2'

describe('a client that accepts HTML', () => {
  it.each([
    ['POST', '/oauth2/token', { grant_type: 'authorization_code', client_id: 'demo-app' }, 400, 'invalid_request'],
    ['POST', '/oauth2/token', { grant_type: 'client_credentials', client_id: 'svc-admin' }, 400, 'invalid_client'],
    ['POST', '/oauth2/revoke', {}, 400, 'invalid_request'],
    ['POST', '/oauth2/introspect', { token: 'x' }, 401, 'invalid_client'],
    ['GET', '/oauth2/userinfo', undefined, 401, 'invalid_token'],
  ])('gets the errors of %s %s (%o) as OAuth has them: %i %s', async (method, path, fields, status, error) => {
    for (const accept of [javaAccepts, 'text/html']) {
      const body = fields === undefined ? {} : { body: new URLSearchParams(fields) }
      const response = await fetch(auth.url + path, { method, headers: { accept }, ...body })
      expect([response.status, await response.json()]).toEqual([status, expect.objectContaining({ error })])
    }
  })

  it('gets a page from the authorization endpoint', async () => {
    const response = await fetch(`${auth.url}/oauth2/authorize`, { headers: { accept: 'text/html' } })
    expect([response.status, response.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
  })
})

describe('a parameter without a value', () => {
  const empty = { client_secret: '', client_assertion: '', client_assertion_type: '', scope: '', token_type_hint: '' }

  it('counts as left out when a code is exchanged', async () => {
    const app = new SmartApp(auth)
    expect((await app.exchange(await app.code({}, browser), empty)).status).toBe(200)
  })

  it.each([
    ['/oauth2/revoke', { client_id: 'demo-app' }, {}],
    ['/oauth2/revoke', { client_id: '' }, {}],
    ['/oauth2/revoke', {}, { authorization: basic('demo-confidential', 'demo') }],
    ['/oauth2/introspect', {}, { authorization: basic('svc-admin', 'demo') }],
  ])('counts as left out at %s with %o', async (path, fields, headers) => {
    const body = new URLSearchParams({ ...empty, ...fields, token: 'unknown' })
    expect((await fetch(auth.url + path, { method: 'POST', body, headers })).status).toBe(200)
  })

  it('counts as left out also where it is required', async () => {
    const body = new URLSearchParams({ token: '' })
    expect((await fetch(`${auth.url}/oauth2/revoke`, { method: 'POST', body })).status).toBe(400)
  })
})

it('a public client may name itself in the header, with an empty secret', async () => {
  const app = new SmartApp(auth)
  const code = await app.code({}, browser)
  const header = (secret: string) => ({ authorization: basic('demo-app', secret) })
  expect((await app.exchange(code, { client_id: undefined }, header('guessed'))).status).toBe(401)
  expect((await app.exchange(code, { client_id: undefined }, header(''))).status).toBe(200)
})

it('a client in Java may say that its form is in ISO-8859-1, as its library does', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=ISO-8859-1' }
  const body = 'grant_type=client_credentials&client_id=svc-admin&client_secret=demo&scope=system%2F*.read'
  expect((await fetch(`${auth.url}/oauth2/token`, { method: 'POST', headers, body })).status).toBe(200)
})

it('a logout needs no body', async () => {
  const user = auth.browser()
  await user.signIn()
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const out = await fetch(`${auth.url}/logout`, { method: 'POST', headers: { cookie }, redirect: 'manual' })
  expect([out.status, out.headers.get('location')]).toEqual([303, '/login?logout'])
  expect((await user.get('/portal')).headers.get('location')).toBe('/login')
})
