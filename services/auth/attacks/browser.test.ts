import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerOf, launchToken, SmartApp } from '../testing/smart-app.ts'
import { MovedClock } from '../../../packages/testkit/moved-clock.ts'
import type { Encounter, Patient } from '../../../ports/fhir-store/resources.ts'
import { startTestAuth, type TestAuth } from '../testing/test-auth.tsx'
import type { TestBrowser } from '../testing/test-browser.ts'

let auth: TestAuth
let browser: TestBrowser
const clock = new MovedClock(new Date())
beforeAll(async () => {
  auth = await startTestAuth({ clock })
  browser = auth.browser()
  await browser.signIn()
})
afterAll(() => auth?.[Symbol.asyncDispose]())

describe('pages', () => {
  const foreign: [string, Record<string, string>][] = [
    ['another port', { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' }],
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['an opaque origin', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
  ]
  const forms: [string, Record<string, string>][] = [
    ['/login', { username: 'clinician', password: 'demo' }],
    ['/logout', {}],
    ['/portal/launch', { patientId: 'amina-diallo' }],
    ['/oauth2/authorize/patient', { request: 'x' }],
    ['/oauth2/authorize/consent', { request: 'x', decision: 'allow' }],
    ['/account/apps/revoke', { grant: '00000000-0000-4000-8000-000000000000' }],
    ['/account/apps/revoke-app', { app: 'demo-app' }],
  ]
  it.each(
    forms.flatMap(([path, fields]) => foreign.map(([whence, headers]) => [path, whence, fields, headers] as const)),
  )('A14: a form to %s from a page of %s is refused', async (path, _whence, fields, headers) => {
    expect((await browser.post(path, fields, headers)).status).toBe(403)
    expect((await browser.get('/portal')).status).toBe(200)
  })

  it('A14: an older browser is known by its Origin, a program by having neither', async () => {
    const send = (headers: Record<string, string>) =>
      fetch(`${auth.url}/login`, {
        method: 'POST',
        redirect: 'manual',
        headers,
        body: new URLSearchParams({ username: 'clinician', password: 'demo' }),
      })
    expect((await send({ origin: 'http://127.0.0.1:1' })).status).toBe(403)
    expect((await send({ origin: auth.url })).status).toBe(303)
  })

  it('A14: a token of our own forms must be right when there is one', async () => {
    expect((await browser.post('/portal/launch', { patientId: 'amina-diallo', _csrf: 'wrong' })).status).toBe(403)
  })

  it('A15: a login makes a new session, and unknown ids are worth nothing', async () => {
    const victim = auth.browser()
    const planted = 'A'.repeat(43)
    victim.cookies.set('corridor_auth', planted)
    await victim.signIn()
    expect(victim.cookies.get('corridor_auth')).not.toBe(planted)
    const attacker = auth.browser()
    attacker.cookies.set('corridor_auth', planted)
    expect((await attacker.get('/portal')).headers.get('location')).toBe('/login')
  })

  it('A15: signing in again ends the session before', async () => {
    const user = auth.browser()
    await user.signIn()
    const before = new Map(user.cookies)
    await user.signIn()
    const old = auth.browser()
    for (const [name, value] of before) old.cookies.set(name, value)
    expect((await old.get('/portal')).status).toBe(302)
    expect((await user.get('/portal')).status).toBe(200)
  })

  it('the cookie is for this server alone, and the answer to the login form is 303', async () => {
    const response = await auth.browser().signIn()
    expect(response.status).toBe(303)
    const [session, known] = response.headers.getSetCookie()
    expect(session).toMatch(/^corridor_auth=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(known).toMatch(/^corridor_auth_known=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=7776000$/)
  })

  it.each(['/login', '/portal', '/account/apps', '/portal/patients/amina-diallo'])(
    'A16, A21: %s cannot be framed, stored or leaked, and runs no script of others',
    async (path) => {
      const { headers } = await browser.get(path)
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('content-security-policy')).not.toContain('unsafe-inline')
      // Of its forms, this server alone (decision 1520).
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('cache-control')).toBe('no-store')
    },
  )

  it('A17: names and words from outside stay text', async () => {
    const word = '"><script>alert(1)</script>'
    const pages = [
      await browser.get('/portal'),
      await browser.get(`/portal?search=${encodeURIComponent('<script>')}`),
      await browser.get('/portal/patients/xss'),
      await browser.get(`/login?request=${encodeURIComponent(word)}`),
      await new SmartApp(auth).authorize(browser, { response_type: undefined, scope: word }),
      await new SmartApp(auth, word).authorize(browser),
      await browser.follow(
        await new SmartApp(auth).authorize(browser, { scope: 'launch/patient openid', state: word }),
      ),
    ]
    for (const page of pages) {
      const text = await page.text()
      expect(text).toContain('<!doctype html>')
      expect(text).not.toMatch(/<script>alert|<img src=x/)
    }
  })

  it('sessions end after half an hour without a request, and after eight hours in any case', async () => {
    const user = auth.browser()
    await user.signIn()
    for (let step = 0; step < 16; step++) {
      clock.forward(29 * 60)
      expect((await user.get('/account/apps')).status).toBe(200)
    }
    clock.forward(29 * 60)
    expect((await user.get('/account/apps')).status).toBe(302)
    await user.signIn()
    clock.forward(31 * 60)
    expect((await user.get('/account/apps')).status).toBe(302)
    await browser.signIn()
  })
})

it('sessions that may be idle for a minute only go on as long as there is a request each half', async () => {
  await using strict = await startTestAuth({ clock, section: { sessionIdleSeconds: 60 } })
  const user = strict.browser()
  await user.signIn()
  for (let step = 0; step < 6; step++) {
    clock.forward(30)
    expect((await user.get('/account/apps')).status).toBe(200)
  }
  clock.forward(61)
  expect((await user.get('/account/apps')).status).toBe(302)
  await browser.signIn()
})

describe('the login page after too many tries', () => {
  const tryOften = async (username: string, more: Record<string, string> = {}) => {
    const user = auth.browser()
    for (let failure = 0; failure < 5; failure++) await user.signIn(username, 'wrong', more)
    return user
  }

  it('A19: says how long to wait, and goes on from there to the app that waits', async () => {
    const toLogin = await new SmartApp(auth).authorize(auth.browser())
    const request = answerOf(toLogin).get('request') ?? ''
    const user = await tryOften('clinician2', { request })
    const waiting = await user.signIn('clinician2', 'demo', { request })
    expect([waiting.status, waiting.headers.get('retry-after')]).toEqual([429, '2'])
    const page = await waiting.text()
    expect(page).toContain('There were too many attempts. You can try again in 2 seconds.')
    expect(page).toContain('Demo app')
    expect(page).toContain(`name="request" value="${request}"`)
    clock.forward(3)
    const after = await user.follow(await user.signIn('clinician2', 'demo', { request }))
    expect(answerOf(after).get('code')).not.toBeNull()
  })

  it('A18, A19: says the same of an account that nobody has, and a program gets the fault', async () => {
    const user = await tryOften('nobody-at-all')
    expect(await (await user.signIn('nobody-at-all')).text()).toContain('You can try again in 2 seconds.')
    const asProgram = await user.post(
      '/login',
      { username: 'nobody-at-all', password: 'x' },
      { accept: 'application/json' },
    )
    expect([asProgram.status, asProgram.headers.get('content-type')]).toEqual([429, 'application/problem+json'])
    clock.forward(3_600)
    await browser.signIn()
  })
})

describe('the portal', () => {
  it('is where a login leads that has a field for a waiting request and nothing in it', async () => {
    const answer = await auth.browser().signIn('clinician', 'demo', { request: '' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/portal'])
    const failed = await auth.browser().signIn('clinician', 'wrong', { request: '' })
    expect(failed.headers.get('location')).toBe('/login?error')
  })

  it('leads whoever had to sign in first on to the page that they wanted', async () => {
    const user = auth.browser()
    const toLogin = (await user.get('/portal/patients/amina-diallo')).headers.get('location') ?? ''
    expect(await (await user.get(toLogin)).text()).toContain('name="to" value="/portal/patients/amina-diallo"')
    const to = '/portal/patients/amina-diallo'
    expect((await user.signIn('clinician', 'wrong', { to })).headers.get('location')).toBe(
      `/login?error&to=${encodeURIComponent(to)}`,
    )
    expect((await user.signIn('clinician', 'demo', { to })).headers.get('location')).toBe(to)
  })

  it.each([
    ...['https://evil.example', '//evil.example', '/\\evil.example', '/portal/patients/../../logout', '/logout'],
    ...['/portal/patients/x?y', '/portal/patients/x\n', 'javascript:alert(1)', ''],
  ])('leads nobody to %j', async (to) => {
    expect((await auth.browser().signIn('clinician', 'demo', { to })).headers.get('location')).toBe('/portal')
  })

  it.each([undefined, '*/*', 'text/html'])('sends whoever accepts %s to the login page', async (accept) => {
    const headers = accept === undefined ? {} : { accept }
    const answer = await fetch(`${auth.url}/portal`, { headers, redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/login'])
  })

  it('tells programs 401, and whoever sends a form without a login', async () => {
    const asProgram = { headers: { accept: 'application/json' }, redirect: 'manual' } as const
    expect((await fetch(`${auth.url}/portal`, asProgram)).status).toBe(401)
    const launch = await fetch(`${auth.url}/portal/launch`, {
      method: 'POST',
      body: new URLSearchParams({ patientId: 'x' }),
    })
    expect(launch.status).toBe(401)
  })

  it.each([undefined, '/portal/patients/amina-diallo', '/account/apps'])(
    'is where the login leads, and patients who wanted %s to their apps',
    async (to) => {
      const form = to === undefined ? {} : { to }
      expect((await auth.browser().signIn('patient', 'demo', form)).headers.get('location')).toBe('/account/apps')
      expect((await auth.browser().signIn('clinician', 'demo', form)).headers.get('location')).toBe(to ?? '/portal')
    },
  )

  it('is not for patients', async () => {
    const patient = auth.browser()
    await patient.signIn('patient')
    expect((await patient.get('/portal')).status).toBe(403)
    expect((await patient.post('/portal/launch', { patientId: 'amina-diallo' })).status).toBe(403)
    expect((await patient.get('/account/apps')).status).toBe(200)
  })

  it.each([
    [{}, 400],
    [{ patientId: '' }, 400],
    [{ patientId: '../x' }, 400],
    [{ patientId: 'nobody' }, 404],
    [{ patientId: 'amina-diallo', encounterId: 'visit-2' }, 400],
    [{ patientId: 'amina-diallo', encounterId: 'nothing' }, 400],
    [{ patientId: 'amina-diallo', encounterId: 'visit-1' }, 302],
    [{ patientId: 'amina-diallo', encounterId: '' }, 302],
    [{ patientId: 'amina-diallo', app: 'svc-bridge' }, 404],
  ])('answers a launch with %o by %i', async (fields, status) => {
    expect((await browser.post('/portal/launch', fields as Record<string, string>)).status).toBe(status)
  })

  it.each(['', '/_history/1'])('launches with an encounter that names its patient by an address%s', async (version) => {
    const reference = `${auth.fhirBase}/Patient/amina-diallo${version}`
    const far: Encounter = {
      resourceType: 'Encounter',
      id: 'far-visit',
      status: 'finished',
      class: {},
      subject: { reference },
    }
    auth.fhir.stored.push(far)
    const fields = { patientId: 'amina-diallo', encounterId: 'far-visit' }
    expect((await browser.post('/portal/launch', fields)).status).toBe(302)
    auth.fhir.stored.pop()
  })

  it('shows who was opened last, and asks the FHIR server in the name of the user', async () => {
    await launchToken(browser, { patientId: 'kofi-mensah' })
    const page = await (await browser.get('/portal')).text()
    expect(page).toContain('Recent')
    expect(page).toContain('MRN')
    const asked = auth.fhir.requests.at(-1)
    expect(asked?.authorization).toMatch(/^Bearer /)
  })

  it('finds by name and says when nobody is found', async () => {
    expect(await (await browser.get('/portal?search=amina')).text()).not.toContain('Mensah')
    expect(await (await browser.get('/portal?search=nobodyatall')).text()).toContain('Nobody was found')
  })

  it.each(['Amina Diallo', 'diallo amina', 'Diallo, Amina', 'ami dia'])('finds a whole name: %s', async (typed) => {
    const page = await (await browser.get(`/portal?search=${encodeURIComponent(typed)}`)).text()
    expect(page).toContain('/portal/patients/amina-diallo')
    expect(page).not.toContain('Mensah')
  })

  it.each(['MRN-12', 'mrn 12', 'MRN12', 'Diallo MRN-12', 'mrn12, Amina', 'urn:corridor:mrn|MRN-12'])(
    'finds a number however it is grouped, also beside a name: %s',
    async (typed) => {
      const page = await (await browser.get(`/portal?search=${encodeURIComponent(typed)}`)).text()
      expect(page).toContain('/portal/patients/amina-diallo')
      expect(page).not.toContain('Mensah')
    },
  )

  it('finds nobody by a number that is of somebody of another name', async () => {
    expect(await (await browser.get('/portal?search=Mensah+MRN-12')).text()).toContain('Nobody was found')
  })

  it.each(["O'Brien", 'O’Brien-Keita', 'obrien-keita', 'Siobhan O´Brien'])(
    'finds a name however its signs are written: %s',
    async (typed) => {
      const name = [{ family: 'OBRIEN KEITA', given: ['Siobhan'] }]
      auth.fhir.stored.push({ resourceType: 'Patient', id: 'siobhan', name } as Patient)
      const page = await (await browser.get(`/portal?search=${encodeURIComponent(typed)}`)).text()
      expect(page).toContain('/portal/patients/siobhan')
      auth.fhir.stored.pop()
    },
  )

  it('leads from a record that was merged into another to that other, also along several', async () => {
    const name = [{ family: 'Zubrowka', given: ['Wanda'] }]
    const link = (id: string) => [{ type: 'replaced-by' as const, other: { reference: `Patient/${id}` } }]
    const went = [
      { resourceType: 'Patient' as const, id: 'went-first', active: false, name, link: link('went-later') },
      { resourceType: 'Patient' as const, id: 'went-later', active: false, link: link('amina-diallo') },
      { resourceType: 'Patient' as const, id: 'led-nowhere', active: false, name, link: link('nobody-there') },
    ]
    auth.fhir.stored.push(...went)
    const page = await (await browser.get('/portal?search=Zubrowka')).text()
    const rows = [...page.matchAll(/href="\/portal\/patients\/([a-z-]+)"/g)].map(([, id]) => id)
    expect([...new Set(rows)].sort()).toEqual(['amina-diallo', 'led-nowhere'])
    auth.fhir.stored.splice(-went.length)
  })

  it('begins nothing with a record that was merged into another: whatever leads to it is about that other', async () => {
    await using own = await startTestAuth()
    const clinician = own.browser()
    await clinician.signIn()
    const app = new SmartApp(own)
    const went: Patient = { resourceType: 'Patient', id: 'went-away', name: [{ family: 'Zubrowka' }] }
    own.fhir.stored.push(went)
    for (const patientId of ['amina-diallo', 'kofi-mensah', 'went-away']) await launchToken(clinician, { patientId })
    const recent = async () => {
      const page = await (await clinician.get('/portal')).text()
      const [, table = ''] = page.split('Recent patients')
      const rows = table.slice(0, table.indexOf('</table>')).matchAll(/href="\/portal\/patients\/([a-z-]+)"/g)
      return [...new Set([...rows].map(([, id]) => id))]
    }
    expect(await recent()).toEqual(['went-away', 'kofi-mensah', 'amina-diallo'])
    const link: Patient['link'] = [{ type: 'replaced-by', other: { reference: 'Patient/amina-diallo' } }]
    own.fhir.stored.splice(-1, 1, { ...went, active: false, link } as Patient)

    expect(await recent()).toEqual(['amina-diallo', 'kofi-mensah'])
    const page = await clinician.get('/portal/patients/went-away')
    expect([page.status, page.headers.get('location')]).toEqual([302, '/portal/patients/amina-diallo'])
    const wish = { patientId: 'went-away', encounterId: 'visit-1' }
    const launched = { launch: await launchToken(clinician, wish), scope: 'launch openid' }
    expect(await app.tokens(launched, clinician)).toMatchObject({ patient: 'amina-diallo', encounter: 'visit-1' })
    const ofKofi = await clinician.post('/portal/launch', { ...wish, encounterId: 'visit-2' })
    expect(ofKofi.status).toBe(400)

    const toPicker = await app.authorize(clinician, { scope: 'launch/patient openid patient/*.rs' })
    const request = answerOf(toPicker).get('request') ?? ''
    const picked = await clinician.post('/oauth2/authorize/patient', { request, patientId: 'went-away' })
    const code = answerOf(await clinician.follow(picked)).get('code') ?? ''
    expect(await (await app.exchange(code)).json()).toMatchObject({ patient: 'amina-diallo' })
  })

  it('finds nobody who has only one of two names', async () => {
    expect(await (await browser.get('/portal?search=Amina+Mensah')).text()).toContain('Nobody was found')
  })
})

describe('what is sent', () => {
  const post = (body: BodyInit, headers: Record<string, string> = {}) =>
    fetch(`${auth.url}/oauth2/token`, { method: 'POST', body, headers })

  it('A22: a parameter that stands twice is refused by name', async () => {
    const response = await post(
      new URLSearchParams([
        ['grant_type', 'client_credentials'],
        ['client_id', 'svc-bridge'],
        ['client_id', 'svc-admin'],
      ]),
    )
    expect(await response.json()).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining('client_id'),
    })
  })

  it('A22: a body that is too large, of another kind, or by another method is refused', async () => {
    expect((await post(new URLSearchParams({ code: 'x'.repeat(70_000) }))).status).toBe(413)
    expect((await post(new URLSearchParams({ code: 'x'.repeat(9_000) }))).status).toBe(400)
    const json = await post(JSON.stringify({ grant_type: 'client_credentials' }), {
      'content-type': 'application/json',
    })
    expect([json.status, await json.json()]).toEqual([415, expect.objectContaining({ error: 'invalid_request' })])
    const byLink = await fetch(`${auth.url}/oauth2/token?grant_type=client_credentials&client_id=svc-bridge`)
    expect(byLink.status).toBe(405)
  })

  it('A29: only registered origins may read, and never with credentials', async () => {
    for (const path of ['/oauth2/token', '/oauth2/revoke', '/oauth2/userinfo']) {
      const ask = (origin: string) =>
        fetch(auth.url + path, {
          method: 'OPTIONS',
          headers: { origin, 'access-control-request-method': 'POST' },
        })
      const [own, other] = [await ask('http://localhost:3000'), await ask('https://evil.example')]
      expect(own.headers.get('access-control-allow-origin')).toBe('http://localhost:3000')
      expect(other.headers.get('access-control-allow-origin')).toBeNull()
      expect(own.headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  it('A21: nothing secret is in the log after a whole run', async () => {
    const app = new SmartApp(auth)
    const launch = await launchToken(browser)
    const code = await app.code({ launch, scope: 'launch openid offline_access' }, browser)
    const tokens = (await (await app.exchange(code)).json()) as Record<string, string>
    await app.exchange(code)
    await auth.browser().signIn('clinician', 'a-wrong-password')
    const log = auth.captured.lines.join('\n')
    const secrets = [launch, code, app.verifier, app.state, 'a-wrong-password', ...browser.cookies.values()]
    for (const secret of [...secrets, tokens['access_token'], tokens['refresh_token'], tokens['id_token']]) {
      expect(log).not.toContain(secret)
    }
    expect(log).not.toContain('Amina')
  })

  it('A30: the development console is not there unless it is switched on, and never in production', async () => {
    for (const path of ['/h2-console', '/h2-console/users', '/h2-console/login.do']) {
      expect((await fetch(auth.url + path)).status).toBe(404)
      expect((await fetch(auth.url + path, { method: 'POST' })).status).toBe(404)
    }
    await using open = await startTestAuth({ section: { developmentConsole: true } })
    const page = await (await fetch(`${open.url}/h2-console/users`)).text()
    expect(page).toContain('clinician')
    expect(page).not.toContain('$argon2id')
    for (const path of ['/h2-console', '/h2-console/']) expect(await (await fetch(open.url + path)).text()).toBe(page)
    expect((await fetch(`${open.url}/h2-console/kit.outbox`)).status).toBe(404)
    // By DNS rebinding a page of another site asks from this machine, but for its own name.
    const rebound = await new Promise<number | undefined>((resolve) => {
      httpRequest(`${open.url}/h2-console/clients`, { headers: { host: 'evil.example' } }, (response) => {
        resolve(response.resume().statusCode)
      }).end()
    })
    expect(rebound).toBe(404)
    await using production = await startTestAuth({ section: { developmentConsole: true }, mode: 'production' })
    expect((await fetch(`${production.url}/h2-console`)).status).toBe(404)
  })

  it('a request for the answer of another server is not read as ours', async () => {
    const status = await new Promise<number | undefined>((resolve) => {
      const { hostname, port } = new URL(auth.url)
      httpRequest({ hostname, port, path: '/oauth2/authorize?client_id=%E0%A4%A', method: 'GET' }, (response) =>
        resolve(response.statusCode),
      ).end()
    })
    expect(status).toBe(400)
  })
})

describe('answers of the authorize endpoint', () => {
  it('never show an account', async () => {
    const toLogin = await new SmartApp(auth).authorize(auth.browser())
    expect(answerOf(toLogin).toString()).not.toContain('clinician')
  })
})
