import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MovedClock } from '../../../packages/testkit/moved-clock.ts'
import { scopesSupported } from '../discovery/supported.ts'
import { answerOf, basic, launchToken, redirectUri, SmartApp } from '../testing/smart-app.ts'
import { appUrl, startTestAuth, type TestAuth } from '../testing/test-auth.tsx'
import type { TestBrowser } from '../testing/test-browser.ts'

const crossSite = { 'sec-fetch-site': 'cross-site' }
let auth: TestAuth
let browser: TestBrowser
beforeAll(async () => {
  auth = await startTestAuth()
  browser = auth.browser()
  await browser.signIn()
})
afterAll(() => auth?.[Symbol.asyncDispose]())

describe('the authorization endpoint', () => {
  it('C15, C17, C18: ends at redirect_uri with a code and the state byte for byte', async () => {
    const state = 'a b+c/ü?&=%'
    const response = await new SmartApp(auth).authorize(browser, { state })
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toMatch(new RegExp(`^${redirectUri}\\?code=`))
    expect(answerOf(response).get('state')).toBe(state)
    expect(answerOf(response).get('error')).toBeNull()
    expect(answerOf(response).get('iss')).toBe(auth.url)
  })

  it('C18: refuses a state that it could not give back byte for byte', async () => {
    const parameters = new SmartApp(auth).parameters({ state: undefined })
    const response = await browser.get(`/oauth2/authorize?${parameters}&state=%FF`, { accept: 'application/json' })
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: expect.stringContaining('state is not well encoded') },
    ])
  })

  it('takes an address of twelve kilobytes, as long lists of granular scopes and states of four make it', async () => {
    const state = 'x'.repeat(4_096)
    const granular = (at: number) => `user/Observation.rs?category=http://terminology.example.org/category|code-${at}`
    const scopes = ['openid', ...Array.from({ length: 105 }, (_, at) => granular(at))]
    const wish = { state, scope: scopes.join(' ') }
    expect(wish.scope.length).toBeGreaterThan(8_000)
    const app = new SmartApp(auth)
    const response = await browser.post('/oauth2/authorize', Object.fromEntries(app.parameters(wish)))
    expect(answerOf(response).get('state')).toBe(state)
    const tokens = await app.exchange(answerOf(response).get('code') ?? '')
    expect(await tokens.json()).toMatchObject({ scope: wish.scope })
    const link = await app.authorize(browser, { state, scope: `openid ${'y'.repeat(8_000)}` })
    expect(answerOf(link).get('code')).not.toBeNull()
  })

  it('tells the app that its state is longer than any may be', async () => {
    const refused = await new SmartApp(auth).authorize(browser, { state: 'x'.repeat(4_097) })
    expect(answerOf(refused).get('error_description')).toBe('state has more than 4096 characters.')
  })

  it.each([
    ['GET', '/oauth2/nothing', 404],
    ['DELETE', '/oauth2/token', 405],
    ['GET', '/oauth2/token', 405],
    ['PUT', '/oauth2/authorize', 405],
  ])('%s %s is an error in the words of OAuth', async (method, path, status) => {
    const response = await fetch(auth.url + path, { method })
    expect([response.status, await response.json()]).toEqual([
      status,
      { error: 'invalid_request', error_description: expect.any(String) },
    ])
  })

  it('C16: takes the same as a form', async () => {
    const app = new SmartApp(auth)
    const response = await browser.post('/oauth2/authorize', [...app.parameters()])
    expect(response.status).toBe(303)
    expect(answerOf(response).get('code')).not.toBeNull()
  })

  it('C16: a form of another site with prompt=none finds the login that its browser left out, or hears of none', async () => {
    const app = new SmartApp(auth)
    const answerTo = async (comingBack: TestBrowser) => {
      // The form comes without the cookie; the redirect brings it along.
      const sent = await auth.browser().post('/oauth2/authorize', [...app.parameters({ prompt: 'none' })], crossSite)
      return answerOf(await comingBack.follow(sent))
    }
    expect((await answerTo(browser)).get('code')).not.toBeNull()
    expect(Object.fromEntries(await answerTo(auth.browser()))).toMatchObject({
      error: 'login_required',
      state: app.state,
    })
    const wrong = await auth
      .browser()
      .post('/oauth2/authorize', [...app.parameters({ response_type: 'token' })], crossSite)
    expect(answerOf(wrong).get('error')).toBe('unsupported_response_type')
  })

  it('C16: finds the session again when a form of another site came without its cookie', async () => {
    const app = new SmartApp(auth)
    const stranger = auth.browser()
    const first = await stranger.post('/oauth2/authorize', [...app.parameters()], crossSite)
    expect(first.headers.get('location')).toMatch(/^\/oauth2\/authorize\/resume\?request=/)
    expect(answerOf(await browser.get(first.headers.get('location') ?? '')).get('code')).not.toBeNull()
  })

  it('shows the login page, and comes back to the request after it', async () => {
    const stranger = auth.browser()
    const app = new SmartApp(auth)
    const toLogin = await app.authorize(stranger)
    expect(toLogin.headers.get('location')).toMatch(/^\/login\?request=[\w-]{43}$/)
    const page = await (await stranger.follow(toLogin)).text()
    expect(page).toContain('Demo app')
    const request = answerOf(toLogin).get('request') ?? ''
    const answer = answerOf(await stranger.follow(await stranger.signIn('clinician', 'demo', { request })))
    expect([answer.get('state'), answer.get('code')]).toEqual([app.state, expect.any(String)])
  })

  it.each([
    ['client_id', 'invalid_request'],
    ['redirect_uri', 'invalid_request'],
    ['response_type', 'invalid_request'],
    ['scope', 'invalid_request'],
    ['state', 'invalid_request'],
    ['aud', 'invalid_request'],
    ['code_challenge_method', 'invalid_request'],
    ['code_challenge', 'invalid_client'],
  ])('without %s answers 400 %s and sends nobody anywhere', async (name, error) => {
    const response = await new SmartApp(auth).authorize(browser, { [name]: undefined })
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
    const asProgram = await fetch(
      `${auth.url}/oauth2/authorize?${new SmartApp(auth).parameters({ [name]: undefined })}`,
    )
    expect(await asProgram.json()).toMatchObject({ error, error_description: expect.any(String) })
    expect(asProgram.headers.get('cache-control')).toBe('no-store')
  })

  it('names all that is missing at once', async () => {
    const parameters = new SmartApp(auth).parameters({ scope: undefined, state: undefined })
    const response = await fetch(`${auth.url}/oauth2/authorize?${parameters}`)
    expect(await response.json()).toEqual({
      error: 'invalid_request',
      error_description: 'scope, state are required.',
    })
  })

  it('shows a client_id that is not registered as invalid_client', async () => {
    for (const clientId of ['nobody', `https://app.example/${'x'.repeat(200)}`]) {
      const response = await fetch(`${auth.url}/oauth2/authorize?${new SmartApp(auth, clientId).parameters()}`)
      const error = { error: 'invalid_client', error_description: 'The client_id is not registered.' }
      expect([response.status, await response.json()]).toEqual([400, error])
    }
  })

  it('shows the client_id of a program as unauthorized_client', async () => {
    const response = await fetch(`${auth.url}/oauth2/authorize?${new SmartApp(auth, 'svc-bridge').parameters()}`)
    const error = { error: 'unauthorized_client', error_description: 'This client may not use authorization_code.' }
    expect([response.status, await response.json()]).toEqual([400, error])
  })

  it.each(['x', 'x'.repeat(4_000)])('shows a launch that is none as 401, however long', async (launch) => {
    expect((await new SmartApp(auth).authorize(browser, { launch })).status).toBe(401)
  })

  it.each([
    ['launch/questionnaire?role=x', 'None of the scopes is one that this server knows.'],
    ['user/Nonsense.rs', 'None of the scopes is one that this server knows.'],
    ['system/Patient.rs', 'None of the scopes is registered for this client.'],
    [
      'patient/*.rs',
      'A patient/ scope needs a patient: ask for launch/patient, too, or launch the app from the portal.',
    ],
    [
      'launch',
      'The scope launch needs the launch token that the portal sends along, launch/encounter one with an encounter.',
    ],
  ])('says why nothing of %s can be granted', async (scope, description) => {
    const answer = answerOf(await new SmartApp(auth).authorize(browser, { scope }))
    expect([answer.get('error'), answer.get('error_description')]).toEqual(['invalid_scope', description])
  })

  it('says why nothing can be granted: whose user can give none of it, or has picked nobody', async () => {
    const patient = auth.browser()
    await patient.signIn('patient')
    const ofPatient = answerOf(await new SmartApp(auth).authorize(patient, { scope: 'user/*.rs' }))
    expect(ofPatient.get('error_description')).toContain('None of the scopes is for this user to give')
    const asked = await new SmartApp(auth).authorize(browser, { scope: 'launch/patient patient/*.rs' })
    const request = answerOf(asked).get('request') ?? ''
    const picked = await browser.post('/oauth2/authorize/patient', { request, patientId: '' })
    expect(answerOf(await browser.follow(picked)).get('error_description')).toBe(
      'These scopes need a patient, and none was picked.',
    )
  })

  it.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ scope: 'launch/questionnaire?role=x' }, 'invalid_scope'],
    [{ scope: 'system/*.rs' }, 'invalid_scope'],
    [{ scope: 'user/Nonsense.rs user/Observation.rs?foo=bar' }, 'invalid_scope'],
    [{ request: 'x.y.z' }, 'request_not_supported'],
    [{ prompt: 'none login' }, 'invalid_request'],
    [{ max_age: 'soon' }, 'invalid_request'],
    [{ id_token_hint: 'x.y.z' }, 'invalid_request'],
  ])('tells the app about %o with %s and its state', async (changes, error) => {
    const app = new SmartApp(auth)
    const answer = answerOf(await app.authorize(browser, changes))
    expect([answer.get('error'), answer.get('state'), answer.get('code')]).toEqual([error, app.state, null])
  })

  it('tells a silent request that nobody is signed in, and serves it when somebody is', async () => {
    const app = new SmartApp(auth)
    expect(answerOf(await app.authorize(auth.browser(), { prompt: 'none' })).get('error')).toBe('login_required')
    expect(answerOf(await app.authorize(browser, { prompt: 'none' })).get('code')).not.toBeNull()
    const picking = answerOf(await app.authorize(browser, { prompt: 'none', scope: 'launch/patient openid' }))
    expect(picking.get('error')).toBe('interaction_required')
  })

  it('gives no code of one user to an app that means another', async () => {
    const app = new SmartApp(auth)
    const other = auth.browser()
    await other.signIn('clinician2')
    const { id_token: hint, access_token: access } = await app.tokens({ scope: 'openid' }, other)
    const asking = (changes: Record<string, string>) => app.authorize(browser, { id_token_hint: hint, ...changes })
    expect(answerOf(await asking({ prompt: 'none' })).get('error')).toBe('login_required')
    const silent = await app.authorize(other, { prompt: 'none', id_token_hint: hint })
    expect(answerOf(silent).get('code')).not.toBeNull()
    // No other token of ours is a hint.
    expect(answerOf(await asking({ id_token_hint: access })).get('error')).toBe('invalid_request')

    const user = auth.browser()
    await user.signIn()
    const toLogin = () => app.authorize(user, { id_token_hint: hint })
    const signInFor = async (name: string) => {
      const request = answerOf(await toLogin()).get('request') ?? ''
      return answerOf(await user.follow(await user.signIn(name, 'demo', { request })))
    }
    expect((await signInFor('clinician')).get('error')).toBe('login_required')
    expect((await signInFor('clinician2')).get('code')).not.toBeNull()
  })

  it('takes the hint of an identity token that is over', async () => {
    const moved = new MovedClock(new Date())
    await using server = await startTestAuth({ clock: moved })
    const app = new SmartApp(server)
    const user = server.browser()
    const { id_token: hint } = await app.tokens({ scope: 'openid' }, user)
    moved.forward(2 * 86_400)
    await user.signIn()
    const silent = await app.authorize(user, { prompt: 'none', id_token_hint: hint })
    expect(answerOf(silent).get('code')).not.toBeNull()
  })

  it('fills in the user name that the app expects', async () => {
    const toLogin = await new SmartApp(auth).authorize(auth.browser(), { login_hint: 'clinician2"' })
    expect(await (await auth.browser().follow(toLogin)).text()).toMatch(/name="username"[^>]* value="clinician2&quot;"/)
  })

  it('takes no HEAD where a GET makes a code: nothing is used up by looking', async () => {
    const user = auth.browser()
    await user.signIn()
    const app = new SmartApp(auth)
    const asking = { scope: 'launch openid', launch: await launchToken(user) }
    const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const head = async (path: string) => {
      const answer = await fetch(auth.url + path, { method: 'HEAD', redirect: 'manual', headers: { cookie } })
      return [answer.status, answer.headers.get('location'), answer.headers.get('allow')]
    }
    expect(await head(`/oauth2/authorize?${app.parameters(asking)}`)).toEqual([405, null, 'GET, POST, OPTIONS'])
    expect(answerOf(await app.authorize(user, asking)).get('code')).not.toBeNull()

    const waiting = answerOf(await app.authorize(user, { prompt: 'login' })).get('request') ?? ''
    const methods = { patient: 'GET, POST, OPTIONS', consent: 'GET, POST, OPTIONS', resume: 'GET, OPTIONS' }
    for (const [page, allow] of Object.entries(methods)) {
      expect(await head(`/oauth2/authorize/${page}?request=${waiting}`)).toEqual([405, null, allow])
    }
    for (const [page, allow] of Object.entries({ '': 'GET, POST, OPTIONS', '/resume': 'GET, OPTIONS' })) {
      const put = await fetch(`${auth.url}/oauth2/authorize${page}`, { method: 'PUT' })
      expect([put.status, put.headers.get('allow')]).toEqual([405, allow])
    }
    expect(
      answerOf(await user.follow(await user.signIn('clinician', 'demo', { request: waiting }))).get('code'),
    ).not.toBeNull()
  })

  it.each<Record<string, string>>([
    { prompt: 'login' },
    { prompt: 'select_account' },
    { max_age: '0' },
    { max_age: '0', prompt: 'login' },
  ])('asks for the password again, and once only, when the app wants a fresh login with %o', async (changes) => {
    const user = auth.browser()
    await user.signIn()
    const toLogin = await new SmartApp(auth).authorize(user, changes)
    expect(toLogin.headers.get('location')).toMatch(/^\/login/)
    const request = answerOf(toLogin).get('request') ?? ''
    const after = await user.follow(await user.signIn('clinician', 'demo', { request }))
    expect(answerOf(after).get('code')).not.toBeNull()
  })

  it.each([
    ['ahead', 30],
    ['behind', -30],
  ])('asks for the password once where the clock of the copy that began the request is %s', async (_how, seconds) => {
    const clock = new MovedClock()
    clock.forward(seconds)
    const { databaseUrl, fhirBase } = auth
    await using copy = await startTestAuth({ clock, databaseUrl, fhirBase })
    // It hashes the passwords of the demo anew, which ends every login.
    await browser.signIn()
    const user = auth.browser()
    await user.signIn()
    // One address for both, as a load balancer has it: the cookie comes along.
    const there = copy.browser()
    for (const [name, value] of user.cookies) there.cookies.set(name, value)
    const begun = await new SmartApp(auth).authorize(there, { prompt: 'login' })
    const request = answerOf(begun).get('request') ?? ''
    const unproven = await user.get(`/oauth2/authorize/resume?request=${request}`)
    expect(unproven.headers.get('location')).toBe(`/login?request=${request}`)
    const after = await user.follow(await user.signIn('clinician', 'demo', { request }))
    expect(answerOf(after).get('code')).not.toBeNull()
  })

  it('C20: issues no code for an aud that is not the FHIR server, and takes one with a slash at its end', async () => {
    const app = new SmartApp(auth)
    for (const aud of ['https://evil.example/fhir', auth.url, `${auth.fhirBase}x`, `${auth.fhirBase}//`]) {
      const response = await app.authorize(browser, { aud })
      expect([response.status, response.headers.get('location')]).toEqual([400, null])
    }
    expect(answerOf(await app.authorize(browser, { aud: `${auth.fhirBase}/` })).get('code')).not.toBeNull()
  })
})

describe('the launch', () => {
  it('C19: takes the browser to the launch address with iss and a launch token', async () => {
    const response = await browser.post('/portal/launch', { patientId: 'amina-diallo' })
    expect(response.status).toBe(302)
    const to = new URL(response.headers.get('location') ?? '')
    expect(`${to.origin}${to.pathname}`).toBe(`${appUrl}/launch`)
    expect(to.searchParams.get('iss')).toBe(auth.fhirBase)
    expect(to.searchParams.get('launch')).toMatch(/^[\w-]{43}$/)
  })

  it('C21: gives a patient and the scopes that were asked for', async () => {
    const scope = 'launch openid fhirUser offline_access patient/Patient.rs'
    const launch = await launchToken(browser)
    expect(await new SmartApp(auth).tokens({ launch, scope }, browser)).toMatchObject({
      patient: 'amina-diallo',
      scope,
    })
  })

  it('C13: grants every scope that the list names, each to whom it is for', async () => {
    const listed = scopesSupported.filter((scope) => !scope.startsWith('system/'))
    const ofClinician = async (scope: string) =>
      (await new SmartApp(auth).tokens({ launch: await launchToken(browser), scope }, browser)).scope
    for (const scope of listed.filter((one) => one !== 'launch/patient')) expect(await ofClinician(scope)).toBe(scope)
    const patient = auth.browser()
    await patient.signIn('patient')
    expect(await new SmartApp(auth).tokens({ scope: 'launch/patient' }, patient)).toMatchObject({
      scope: 'launch/patient',
    })
    for (const scope of scopesSupported.filter((one) => one.startsWith('system/'))) {
      const authorization = basic('svc-admin', 'demo')
      const answer = await new SmartApp(auth).token({ grant_type: 'client_credentials', scope }, { authorization })
      expect(await answer.json()).toMatchObject({ scope })
    }
  })

  it('C22: by form with user scopes grants them', async () => {
    const app = new SmartApp(auth)
    const launch = await launchToken(browser)
    const scope = 'launch openid user/Patient.rs user/Observation.rs'
    const response = await browser.post('/oauth2/authorize', [...app.parameters({ launch, scope })])
    const tokens = (await (await app.exchange(answerOf(response).get('code') ?? '')).json()) as { scope: string }
    expect(tokens.scope).toBe(scope)
  })

  it('without a choice is bound to the configured SMART client', async () => {
    const response = await browser.post('/portal/launch', { patientId: 'amina-diallo' })
    const launch = answerOf(response).get('launch') ?? ''
    const refused = await new SmartApp(auth).authorize(browser, { launch, scope: 'launch openid' })
    expect(refused.status).toBe(401)
    const app = new SmartApp(auth, 'immunization-app')
    const callback = `${appUrl}/callback`
    const code = await app.code({ launch, scope: 'launch openid', redirect_uri: callback }, browser)
    expect((await app.exchange(code, { redirect_uri: callback })).status).toBe(200)
  })
})

describe('a standalone launch', () => {
  it('without launch/patient is answered at once and has no patient', async () => {
    const tokens = await new SmartApp(auth).tokens({ scope: 'openid fhirUser patient/Patient.rs' }, browser)
    expect(tokens).toMatchObject({
      patient: null,
      encounter: null,
      need_patient_banner: false,
      scope: 'openid fhirUser',
    })
  })

  it('C36: with launch/patient lets the clinician pick a patient', async () => {
    const app = new SmartApp(auth)
    const scope = 'launch/patient openid patient/*.rs'
    const toPicker = await app.authorize(browser, { scope })
    const picker = await browser.follow(toPicker)
    expect(await picker.text()).toContain('Amina')
    const request = answerOf(toPicker).get('request') ?? ''
    const picked = await browser.post('/oauth2/authorize/patient', { request, patientId: 'kofi-mensah' })
    const code = answerOf(await browser.follow(picked)).get('code') ?? ''
    const tokens = (await (await app.exchange(code)).json()) as { patient: string; access_token: string; scope: string }
    expect(tokens).toMatchObject({ patient: 'kofi-mensah', scope })
    expect(decodeJwt(tokens.access_token)['patient']).toBe('kofi-mensah')
  })

  it('with launch/patient can go on without a patient, and then has no patient scopes', async () => {
    const app = new SmartApp(auth)
    const toPicker = await app.authorize(browser, { scope: 'launch/patient openid patient/*.rs' })
    const request = answerOf(toPicker).get('request') ?? ''
    const picked = await browser.post('/oauth2/authorize/patient', { request, patientId: '' })
    const code = answerOf(await browser.follow(picked)).get('code') ?? ''
    expect(await (await app.exchange(code)).json()).toMatchObject({ patient: null, scope: 'openid' })
  })

  it('of a patient has their own record at once', async () => {
    const patient = auth.browser()
    await patient.signIn('patient')
    const tokens = await new SmartApp(auth).tokens({ scope: 'launch/patient openid patient/*.rs user/*.rs' }, patient)
    expect(tokens).toMatchObject({ patient: 'amina-diallo', scope: 'launch/patient openid patient/*.rs' })
    expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: 'amina-diallo', roles: ['PATIENT'] })
  })
})
