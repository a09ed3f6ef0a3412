import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { AppVisitor } from '../testing/app-visitor.ts'
import { beginLaunch, startTestApp, type TestApp } from '../testing/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
}, 60_000)
afterAll(() => app?.[Symbol.asyncDispose]())
beforeEach(() => {
  app.server.behaviour.patient = 'p1'
})

const place = (response: Response) => response.headers.get('location')

describe('the way to the authorization server', () => {
  it('names client, redirect, audience, scopes, state and a challenge', async () => {
    const response = await app.visitor().get(`/launch?iss=${encodeURIComponent(app.server.base)}&launch=abc`)
    expect(response.status).toBe(302)
    const asked = new URL(place(response) ?? '')
    expect(asked.origin + asked.pathname).toBe(`${app.server.url}/authorize`)
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      ...{ response_type: 'code', client_id: 'immunization-app', aud: app.server.base, launch: 'abc' },
      redirect_uri: `${app.corridor.url('immunization')}/callback`,
      scope:
        'launch openid fhirUser offline_access patient/Patient.rs patient/Immunization.rs ' +
        'patient/ImmunizationRecommendation.rs patient/ImmunizationRecommendation.cu',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
    })
  })

  it('by itself asks for a patient to be chosen', async () => {
    const response = await app.visitor().get(`/launch?iss=${encodeURIComponent(`${app.server.base}/`)}`)
    const { searchParams } = new URL(place(response) ?? '')
    expect(searchParams.get('scope')).toMatch(/^launch\/patient openid /)
    expect(searchParams.has('launch')).toBe(false)
  })

  it.each(['https://evil.example/fhir', 'http://127.0.0.1:1/fhir', 'file:///etc/passwd', 'fhir', ''])(
    'is not gone for %j, which is not on the list',
    async (iss) => {
      const response = await app.visitor().get(`/launch?iss=${encodeURIComponent(iss)}&launch=abc`)
      expect(response.status).toBe(400)
      expect(await response.text()).toContain('This FHIR server is not known here')
    },
  )

  it('is not gone again by who comes with an error', async () => {
    const iss = encodeURIComponent(app.server.base)
    const response = await app.visitor().get(`/launch?error=session_expired&iss=${iss}`)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('The session has ended')
  })

  it('starts on a page of its own', async () => {
    const text = await (await app.visitor().get('/launch')).text()
    expect(text).toContain(`/launch?iss=${encodeURIComponent(app.server.base)}`)
  })
})

describe('those who are expected back', () => {
  it('are a thousand of one address, and then others of it wait', async () => {
    await beginLaunch(app.visitor(), app.server)
    await using stack = new AsyncDisposableStack()
    const opening = openDatabase({ url: app.corridor.databaseUrl, poolMax: 1, log: silentLog })
    const database = stack.adopt(await opening, (open) => open.close())
    await database.run(sql`
      insert into immunization.launches (state_hash, browser_hash, issuer, sealed_verifier, nonce, address_hash,
        expires_at)
      select 'many ' || number, browser_hash, issuer, sealed_verifier, nonce, address_hash, expires_at
      from (select * from immunization.launches order by expires_at desc limit 1) as last
      cross join generate_series(1, 1000) as number`)
    const refused = await app.visitor().get(`/launch?iss=${encodeURIComponent(app.server.base)}`)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    app.clock.forward(601)
    expect(await beginLaunch(app.visitor(), app.server)).toMatch(/^[\w-]{43}$/)
  })
})

describe('the way back', () => {
  it('exchanges the code with the verifier of the challenge, and begins a session', async () => {
    const visitor = app.visitor()
    const state = await beginLaunch(visitor, app.server)
    const response = await visitor.get(`/callback?code=the-code&state=${state}`)
    expect(place(response)).toBe('/dashboard')
    const form = app.server.seen.exchanges.at(-1)
    expect(form?.get('code')).toBe('the-code')
    expect(form?.get('code_verifier')).toMatch(/^[\w-]{128}$/)
    expect(response.headers.getSetCookie()[0]).toMatch(
      /^corridor_immunization=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    expect((await visitor.get('/api/session')).status).toBe(200)
  })

  it('is refused without a state, with another one, a second time, in another browser and after ten minutes', async () => {
    const visitor = app.visitor()
    const state = await beginLaunch(visitor, app.server)
    const refused = async (path: string, by = visitor) => place(await by.get(path))
    expect(await refused('/callback?code=c')).toBe('/launch?error=invalid_state')
    expect(await refused('/callback?code=c&state=made-up')).toBe('/launch?error=invalid_state')
    expect(await refused(`/callback?code=c&state=${state}`, app.visitor())).toBe('/launch?error=invalid_state')
    expect(await refused(`/callback?code=c&state=${state}`)).toBe('/dashboard')
    expect(await refused(`/callback?code=c&state=${state}`)).toBe('/launch?error=invalid_state')
    const late = await beginLaunch(visitor, app.server)
    app.clock.forward(601)
    expect(await refused(`/callback?code=c&state=${late}`)).toBe('/launch?error=invalid_state')
  })

  it('lets two launches of one browser be under way at once', async () => {
    const visitor = app.visitor()
    const first = await beginLaunch(visitor, app.server)
    const second = await beginLaunch(visitor, app.server)
    expect(place(await visitor.get(`/callback?code=c&state=${first}`))).toBe('/dashboard')
    expect(place(await visitor.get(`/callback?code=c&state=${second}`))).toBe('/dashboard')
  })

  it.each([
    ['error=access_denied', 'access_denied'],
    ['error=server_error', 'token_exchange_failed'],
    ['error=%3Cscript%3E', 'token_exchange_failed'],
  ])('says why nothing was granted: %s', async (query, error) => {
    const visitor = app.visitor()
    const state = await beginLaunch(visitor, app.server)
    expect(place(await visitor.get(`/callback?${query}&state=${state}`))).toBe(`/launch?error=${error}`)
  })

  it('says so when no patient was chosen', async () => {
    app.server.behaviour.patient = undefined
    const visitor = app.visitor()
    const state = await beginLaunch(visitor, app.server)
    expect(place(await visitor.get(`/callback?code=c&state=${state}`))).toBe('/launch?error=no_patient')
  })

  it('gives a new session id and ends the session before', async () => {
    const visitor = await app.launched()
    const before = visitor.cookies.get('corridor_immunization') ?? ''
    await app.launched(visitor)
    expect(visitor.cookies.get('corridor_immunization')).not.toBe(before)
    const left = app.visitor()
    left.cookies.set('corridor_immunization', before)
    expect((await left.get('/api/session')).status).toBe(401)
  })

  it('says it on the page when it was another patient who was open in this browser', async () => {
    const visitor = await app.launched()
    app.server.behaviour.patient = 'p2'
    await app.launched(visitor)
    expect(await visitor.json('/api/session')).toMatchObject({ patientId: 'p2' })
    expect(await (await visitor.get('/dashboard')).text()).toContain('Another patient was open in this browser before')
    await app.launched(visitor)
    expect(await (await visitor.get('/dashboard')).text()).not.toContain('Another patient was open')
  })
})

it('a patient is told from one of another server with the same id, by every page and by who asks for the session', async () => {
  await using elsewhere = await startTestApp()
  const open = async (at: TestApp) => {
    const visitor = await at.launched()
    const { patientId, patientKey } = await visitor.json<Record<string, string>>('/api/session')
    expect(await (await visitor.get('/history')).text()).toContain(`data-patient="${patientKey}"`)
    return { patientId, patientKey }
  }
  const [here, again, there] = [await open(app), await open(app), await open(elsewhere)]
  expect(again).toEqual(here)
  expect(there.patientId).toBe(here.patientId)
  expect(there.patientKey).not.toBe(here.patientKey)
})

describe('what was granted', () => {
  const lastRefreshToken = () => app.server.seen.latestToken.replace('access', 'refresh')
  const given = () => app.server.seen.revocations.splice(0).map((form) => Object.fromEntries(form))
  beforeEach(() => void given())

  it('is given back by who signs out, and by who is launched anew in the same browser', async () => {
    const visitor = await app.launched()
    const [first, form] = [lastRefreshToken(), { client_id: 'immunization-app', token_type_hint: 'refresh_token' }]
    await app.launched(visitor)
    expect(given()).toEqual([{ ...form, token: first }])
    const second = lastRefreshToken()
    await visitor.post('/logout')
    expect(given()).toEqual([{ ...form, token: second }])
    await visitor.post('/logout')
    expect(given()).toEqual([])
  })

  it.each([
    ['a page', (visitor: AppVisitor) => visitor.get('/dashboard')],
    ['the end of a countdown', (visitor: AppVisitor) => visitor.get('/launch?error=session_expired')],
    ['a call', (visitor: AppVisitor) => visitor.json('/api/session')],
    ['another launch', (visitor: AppVisitor) => app.launched(visitor)],
    ['a sign-out', (visitor: AppVisitor) => visitor.post('/logout')],
  ])('is given back by the next one at a browser whose session was left for too long: %s', async (_what, comes) => {
    const visitor = await app.launched()
    const form = { client_id: 'immunization-app', token_type_hint: 'refresh_token', token: lastRefreshToken() }
    app.clock.forward(1_801)
    await comes(visitor)
    expect(given()).toEqual([form])
    await visitor.get('/dashboard')
    expect(given()).toEqual([])
  })

  it('is given back by a launch of which no session comes', async () => {
    app.server.behaviour.patient = undefined
    await app.launched()
    app.server.behaviour.patient = 'p1'
    expect(given()).toMatchObject([{ token: lastRefreshToken() }])
  })

  it('keeps nobody from signing out where the server does not take it back', async () => {
    app.server.behaviour.revocationStatus = 503
    const visitor = await app.launched()
    expect(place(await visitor.post('/logout'))).toBe('/launch?error=signed_out')
    expect(given()).toHaveLength(1)
    app.server.behaviour.revocationStatus = 200
  })
})

describe('who has no session', () => {
  const apis = ['immunizations', 'recommendations', 'summary', 'session', 'certificate/qr', 'certificate/signed']
  it.each(apis)('gets 401 no_session from /api/%s', async (path) => {
    for (const accept of ['application/json', 'text/html']) {
      const response = await app.visitor().get(`/api/${path}`, { accept })
      expect(response.status).toBe(401)
      expect(await response.json()).toEqual({ code: 'no_session', message: expect.any(String) as string })
    }
  })

  it.each(['', '/', '/nothing-here', '/summary/more', '?x=1'])(
    'gets the same from /api%s, where nothing is; who has one learns that',
    async (path) => {
      const refused = await app.visitor().get(`/api${path}`)
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, null])
      expect(await refused.json()).toMatchObject({ code: 'no_session' })
      const told = await (await app.launched()).get(`/api${path}`)
      expect([told.status, await told.json()]).toMatchObject([404, { code: 'not_found' }])
    },
  )

  it('gets the same for another method, and 404 outside the API', async () => {
    const url = app.corridor.url('immunization')
    const post = await fetch(`${url}/api/summary`, { method: 'POST', body: 'x' })
    expect([post.status, await post.json()]).toMatchObject([401, { code: 'no_session' }])
    expect((await fetch(`${url}/nothing-here`)).status).toBe(404)
    expect((await fetch(`${url}/api/summary`, { method: 'OPTIONS' })).status).toBe(204)
  })

  it.each(['/dashboard', '/history', '/recommendations', '/certificate'])(
    'is led from %s to the start page',
    async (path) => {
      expect(place(await app.visitor().get(path))).toBe('/launch?error=no_session')
    },
  )

  it('is told that it is over after half an hour without a request, and after eight hours with them', async () => {
    const idle = await app.launched()
    app.clock.forward(1_800)
    expect(place(await idle.get('/dashboard'))).toBe('/launch?error=session_expired')
    const busy = await app.launched()
    for (let quarter = 0; quarter < 31; quarter++) {
      app.clock.forward(900)
      expect((await busy.get('/api/session')).status).toBe(200)
    }
    app.clock.forward(900)
    expect((await busy.get('/api/session', { accept: 'application/json' })).status).toBe(401)
    expect(place(await busy.get('/dashboard'))).toBe('/launch?error=session_expired')
  })

  it('is who has signed out', async () => {
    const visitor = await app.launched()
    const copy = app.visitor()
    for (const [name, value] of visitor.cookies) copy.cookies.set(name, value)
    expect(
      (await visitor.post('/logout', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })).status,
    ).toBe(403)
    expect(place(await visitor.post('/logout'))).toBe('/launch?error=signed_out')
    expect((await copy.get('/api/session')).status).toBe(401)
    expect(visitor.cookies.has('corridor_immunization')).toBe(false)
  })
})
