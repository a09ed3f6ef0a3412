import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { basic, launchToken, redirectUri, SmartApp, type Tokens } from '../testing/smart-app.ts'
import { startTestAuth, type TestAuth } from '../testing/test-auth.tsx'
import type { TestBrowser } from '../testing/test-browser.ts'

let auth: TestAuth
let browser: TestBrowser
let app: SmartApp
beforeAll(async () => {
  auth = await startTestAuth()
  browser = auth.browser()
  await browser.signIn()
  app = new SmartApp(auth)
})
afterAll(() => auth?.[Symbol.asyncDispose]())

const launched = async (scope: string) => app.tokens({ launch: await launchToken(browser), scope }, browser)

const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(auth.url + path, { method: 'POST', body: new URLSearchParams(fields), headers })

const bridge = { authorization: basic('svc-bridge', 'demo') }

describe('a refresh', () => {
  it('C50, C52: without scope gives the same four fields, never stored', async () => {
    const tokens = await app.tokens({}, browser)
    const response = await app.refresh(tokens.refresh_token)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(response.headers.get('pragma')).toContain('no-cache')
    expect(await response.json()).toMatchObject({ scope: tokens.scope, token_type: 'Bearer', expires_in: 3600 })
  })

  it('C51: with all received scopes gives them all', async () => {
    const { refresh_token: token, scope } = await launched('launch openid fhirUser offline_access patient/*.rs')
    expect(await (await app.refresh(token, { scope })).json()).toMatchObject({ scope })
  })

  it('with fewer scopes gives fewer, and the next one has all again', async () => {
    const { refresh_token: token, scope } = await launched('launch openid offline_access patient/*.rs')
    const narrow = (await (await app.refresh(token, { scope: 'patient/Patient.r' })).json()) as Tokens
    expect(narrow.scope).toBe('patient/Patient.r')
    expect(narrow).not.toHaveProperty('id_token')
    expect((await app.refresh(narrow.refresh_token, { scope: 'patient/Nonsense.r' })).status).toBe(400)
    const known = await app.refresh(narrow.refresh_token, { scope: 'patient/Nonsense.r patient/Patient.r' })
    const again = (await known.json()) as Tokens
    expect(again.scope).toBe('patient/Patient.r')
    expect(await (await app.refresh(again.refresh_token)).json()).toMatchObject({ scope })
  })

  it('does not care how far apart the scopes stand, but wants one', async () => {
    const { refresh_token: token } = await launched('launch openid offline_access patient/*.rs')
    const none = await app.refresh(token, { scope: ' ' })
    expect([none.status, await none.json()]).toEqual([400, expect.objectContaining({ error: 'invalid_scope' })])
    const two = await app.refresh(token, { scope: 'openid  patient/Patient.r' })
    expect(await two.json()).toMatchObject({ scope: 'openid patient/Patient.r' })
  })

  it('with a scope that was not granted is 400 invalid_scope, and the token is not lost over it', async () => {
    const { refresh_token: token } = await launched('launch offline_access patient/Patient.rs')
    for (const scope of ['patient/*.rs', 'system/*.rs', 'openid', 'nonsense', 'patient/Patient.rs nonsense']) {
      const response = await app.refresh(token, { scope })
      expect([response.status, await response.json()]).toEqual([
        400,
        expect.objectContaining({ error: 'invalid_scope' }),
      ])
    }
    expect((await app.refresh(token)).status).toBe(200)
  })

  it('C53: of an unknown token is 400 invalid_grant', async () => {
    const { access_token: accessToken } = await app.tokens({}, browser)
    for (const token of ['unknown', 'a.b.c', accessToken]) {
      for (const clientId of [app.clientId, undefined]) {
        const response = await app.refresh(token, { client_id: clientId })
        expect([response.status, await response.json()]).toEqual([
          400,
          expect.objectContaining({ error: 'invalid_grant' }),
        ])
      }
    }
    const without = await app.token({ grant_type: 'refresh_token' })
    expect([without.status, await without.json()]).toEqual([400, expect.objectContaining({ error: 'invalid_request' })])
    expect((await app.refresh('')).status).toBe(400)
  })

  it('C54: repeats the context, gives a new identity token without nonce, and rotates', async () => {
    const launch = await launchToken(browser, { encounterId: 'visit-1' })
    const first = await app.tokens({ launch, nonce: 'n', scope: 'launch openid patient/*.rs' }, browser)
    const second = (await (await app.refresh(first.refresh_token)).json()) as Tokens
    expect(second).toMatchObject({ patient: 'amina-diallo', encounter: 'visit-1', need_patient_banner: true })
    expect(second.refresh_token).not.toBe(first.refresh_token)
    const [before, after] = [decodeJwt(first.id_token), decodeJwt(second.id_token)]
    expect(after).not.toHaveProperty('nonce')
    expect(after['auth_time']).toBe(before['auth_time'])
  })

  it('of a public client need not name it, as fhirclient does not', async () => {
    const { refresh_token: token } = await app.tokens({}, browser)
    expect((await app.refresh(token, { client_id: undefined })).status).toBe(200)
  })
})

describe('introspection', () => {
  it('C55, C56: tells of a living token what the token response told', async () => {
    const tokens = await launched('launch openid fhirUser patient/Patient.rs')
    const told = await app.introspect(tokens.access_token)
    const identity = decodeJwt(tokens.id_token)
    expect(told).toMatchObject({
      active: true,
      client_id: 'demo-app',
      scope: tokens.scope,
      exp: expect.any(Number),
      patient: tokens.patient,
      iss: identity.iss,
      sub: identity.sub,
      fhirUser: identity['fhirUser'],
      need_patient_banner: true,
      smart_style_url: tokens.smart_style_url,
      tenant: tokens.tenant,
    })
    expect(tokens.tenant).toBe('central-hospital')
    const withoutPatient = await app.tokens({}, browser)
    expect(await app.introspect(withoutPatient.access_token)).toMatchObject({ need_patient_banner: false })
  })

  it('tells of the token of a service no launch, for there was none', async () => {
    const authorization = basic('svc-bridge', 'demo')
    const asking = post('/oauth2/token', { grant_type: 'client_credentials' }, { authorization })
    const told = await app.introspect(((await (await asking).json()) as Tokens).access_token)
    for (const name of ['need_patient_banner', 'smart_style_url', 'tenant']) expect(told).not.toHaveProperty(name)
  })

  it('C57: tells of anything else nothing but that it is not active', async () => {
    const { id_token: idToken } = await app.tokens({}, browser)
    for (const token of ['garbage', idToken]) expect(await app.introspect(token)).toEqual({ active: false })
  })

  it('C58: answers the bearer of a suitable token about any client, and others only about their own', async () => {
    const tokens = await app.tokens({}, browser)
    const service = (await (
      await post('/oauth2/token', { grant_type: 'client_credentials' }, { authorization: basic('svc-monitor', 'demo') })
    ).json()) as Tokens
    const askedBy = async (bearer: string, token: string) => {
      const response = await post('/oauth2/introspect', { token }, { authorization: `Bearer ${bearer}` })
      return ((await response.json()) as { active: boolean }).active
    }
    expect(await askedBy(service.access_token, tokens.access_token)).toBe(true)
    expect(await askedBy(tokens.access_token, tokens.access_token)).toBe(true)
    expect(await askedBy(tokens.access_token, service.access_token)).toBe(false)
  })

  it.each([
    ['svc-admin', true, 'its role'],
    ['svc-monitor', true, 'a scope for reading everything'],
    ['lakeside-clinic', false, 'scopes for two types'],
  ])('tells %s by its secret what it tells the bearer of its token: %s, by %s', async (id, isTold) => {
    const { access_token: token } = await app.tokens({}, browser)
    const authorization = basic(id, 'demo')
    const own = (await (
      await post('/oauth2/token', { grant_type: 'client_credentials' }, { authorization })
    ).json()) as Tokens
    for (const proof of [authorization, `Bearer ${own.access_token}`]) {
      const about = async (asked: string) =>
        (await post('/oauth2/introspect', { token: asked }, { authorization: proof })).json()
      expect(await about(token)).toMatchObject({ active: isTold })
      expect(await about(own.access_token)).toMatchObject({ active: true })
    }
  })

  it('tells an app nothing about others, whoever is signed in to it', async () => {
    const { access_token: token } = await app.tokens({}, browser)
    const administrator = auth.browser()
    await administrator.signIn('admin')
    const other = new SmartApp(auth, 'demo-confidential')
    const exchanged = await other.exchange(await other.code({ scope: 'openid' }, administrator), {
      client_secret: 'demo',
    })
    const { access_token: bearer } = (await exchanged.json()) as Tokens
    const response = await post('/oauth2/introspect', { token }, { authorization: `Bearer ${bearer}` })
    expect(await response.json()).toEqual({ active: false })
  })

  it('knows living refresh tokens without giving their id away', async () => {
    const { refresh_token: token } = await app.tokens({}, browser)
    expect(await app.introspect(token)).toMatchObject({ active: true, token_type: 'refresh_token' })
    expect(await app.introspect(token)).not.toHaveProperty('jti')
    await app.refresh(token)
    expect(await app.isActive(token)).toBe(false)
  })
})

describe('revocation', () => {
  it('C59: of a refresh token ends the whole grant at once', async () => {
    const tokens = await app.tokens({}, browser)
    expect((await post('/oauth2/revoke', { token: tokens.refresh_token, client_id: 'demo-app' })).status).toBe(200)
    expect(await app.isActive(tokens.access_token)).toBe(false)
    expect((await app.refresh(tokens.refresh_token)).status).toBe(400)
    const feed = await feedOf()
    expect(feed.grants).toContain(decodeJwt(tokens.access_token)['gid'])
  })

  it('of an access token ends that token only', async () => {
    const tokens = await app.tokens({}, browser)
    await post('/oauth2/revoke', { token: tokens.access_token, token_type_hint: 'access_token' })
    expect(await app.isActive(tokens.access_token)).toBe(false)
    expect((await app.refresh(tokens.refresh_token)).status).toBe(200)
  })

  it('of an access token is remembered as long as it would have lived', async () => {
    const { access_token: token } = await app.tokens({}, browser)
    await post('/oauth2/revoke', { token })
    const { exp = 0, jti } = decodeJwt(token)
    const { left } = await auth.database.one<{ left: number }>(sql`
      select extract(epoch from expires_at)::integer - ${exp}::integer as left from auth.revocations where id = ${jti}`)
    expect(left).toBe(300)
  })

  it('of more than a thousand access tokens of a grant, one by one, ends the grant: services read the whole list', async () => {
    const tokens = await app.tokens({}, browser)
    const { access_token: next } = (await (await app.refresh(tokens.refresh_token)).json()) as Tokens
    await revokeMany(tokens.access_token, 999)
    await post('/oauth2/revoke', { token: tokens.access_token })
    expect(await app.isActive(next)).toBe(true)
    expect((await feedOf()).tokens.length).toBeGreaterThan(999)
    await post('/oauth2/revoke', { token: next })
    const feed = await feedOf()
    expect(feed.grants).toContain(decodeJwt(next)['gid'])
    expect(feed.tokens.length, 'the grant stands for them').toBeLessThan(100)
    expect([await app.isActive(tokens.access_token), await app.isActive(next)]).toEqual([false, false])
  })

  it('of as many that a service has in its own name ends them all, and it can have others', async () => {
    const ask = async () => {
      const response = await app.token({ grant_type: 'client_credentials' }, bridge)
      return ((await response.json()) as Tokens).access_token
    }
    const [one, other] = [await ask(), await ask()]
    await revokeMany(one, 1_000)
    await post('/oauth2/revoke', { token: one }, bridge)
    expect(await app.isActive(other)).toBe(false)
    expect((await feedOf()).tokens.length).toBeLessThan(100)
    await waitFor(async () => app.isActive(await ask()), { what: 'a living token of another grant' })
  })

  const feedOf = async () =>
    (await (await fetch(`${auth.url}/oauth2/revocations`)).json()) as { grants: string[]; tokens: string[] }

  /** As if so many tokens of the same grant had been revoked before. */
  async function revokeMany(token: string, count: number): Promise<void> {
    await auth.database.run(sql`
      insert into auth.revocations (kind, id, grant_id, revoked_at, expires_at)
      select 'token', gen_random_uuid()::text, ${String(decodeJwt(token)['gid'])}::text, now(), now() + interval '1 hour'
      from generate_series(1, ${count}::integer)`)
  }

  it('C59: of an app by its user ends what the app holds', async () => {
    const user = auth.browser()
    await user.signIn('patient')
    const tokens = await app.tokens({}, user)
    const page = await (await user.get('/account/apps?app=demo-app')).text()
    expect(page).toContain('Demo app')
    const grant = String(decodeJwt(tokens.access_token)['gid'])
    expect(page).toContain(grant)
    const notice = 'The app has no access any more'
    const early = await user.get(`/account/apps?taken=${grant}`)
    expect(await early.text(), 'an address says nothing').not.toContain(notice)
    const taken = await user.post('/account/apps/revoke', { grant })
    expect(taken.status).toBe(303)
    expect(await (await user.get(taken.headers.get('location') ?? '')).text()).toContain(notice)
    expect(await app.isActive(tokens.access_token)).toBe(false)
    expect((await app.refresh(tokens.refresh_token)).status).toBe(400)
    expect(await (await user.get('/account/apps')).text()).not.toContain(grant)
  })

  it("of another user's app changes nothing", async () => {
    const tokens = await app.tokens({}, browser)
    const other = auth.browser()
    await other.signIn('clinician2')
    await other.post('/account/apps/revoke', { grant: String(decodeJwt(tokens.access_token)['gid']) })
    expect(await app.isActive(tokens.access_token)).toBe(true)
  })

  it.each(['unknown', 'a.b.c', '-'])('of %s is 200 and says nothing', async (token) => {
    const response = await post('/oauth2/revoke', { token })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })

  it('of an app that is no longer registered is 200 and says nothing', async () => {
    await using server = await startTestAuth({ clients: [{ clientId: 'gone', redirectUris: [redirectUri] }] })
    const gone = new SmartApp(server, 'gone')
    const tokens = await gone.tokens()
    await using _without = await startTestAuth({ databaseUrl: server.databaseUrl })
    await server.deps.knownClients.findProven('gone', () => false)
    for (const token of [tokens.refresh_token, tokens.access_token]) {
      const body = new URLSearchParams({ token })
      const response = await fetch(`${server.url}/oauth2/revoke`, { method: 'POST', body })
      expect([response.status, await response.text()]).toEqual([200, ''])
    }
    expect(await gone.isActive(tokens.access_token)).toBe(false)
  })

  it('without a token is 400 invalid_request, with a wrong proof 401 invalid_client', async () => {
    expect((await post('/oauth2/revoke', {})).status).toBe(400)
    const wrong = { authorization: basic('demo-confidential', 'wrong') }
    const response = await post('/oauth2/revoke', { token: 'x' }, wrong)
    expect([response.status, await response.json()]).toEqual([
      401,
      expect.objectContaining({ error: 'invalid_client' }),
    ])
  })

  it.each([
    ['/oauth2/revoke', { client_id: 'demo-confidential', client_secret: 'wrong' }],
    ['/oauth2/revoke', { client_id: 'nobody', client_secret: 'wrong' }],
    ['/oauth2/introspect', { client_id: 'demo-confidential', client_secret: 'wrong' }],
    ['/oauth2/introspect', { client_id: 'nobody', client_secret: 'wrong' }],
  ])('at %s a wrong proof in the form is 401 invalid_client: %o', async (path, fields) => {
    const response = await post(path, { token: 'x', ...fields })
    expect([response.status, await response.json()]).toEqual([
      401,
      expect.objectContaining({ error: 'invalid_client' }),
    ])
  })

  it.each([
    [{ client_id: 'nobody' }, 400],
    [{ client_id: 'demo-confidential' }, 401],
  ])('by %o alone is invalid_client: %i', async (fields, status) => {
    const response = await post('/oauth2/revoke', { token: 'x', ...fields })
    expect([response.status, await response.json()]).toEqual([
      status,
      expect.objectContaining({ error: 'invalid_client' }),
    ])
  })

  it("of another client's token is 200 and does nothing", async () => {
    const tokens = await app.tokens({}, browser)
    expect((await post('/oauth2/revoke', { token: tokens.refresh_token }, bridge)).status).toBe(200)
    expect(await app.isActive(tokens.access_token)).toBe(true)
  })

  it('of a confidential client needs its proof', async () => {
    const confidential = new SmartApp(auth, 'demo-confidential')
    const response = await confidential.exchange(await confidential.code({}, browser), { client_secret: 'demo' })
    const { refresh_token: token } = (await response.json()) as Tokens
    expect((await post('/oauth2/revoke', { token })).status).toBe(401)
    expect(await app.isActive(token)).toBe(true)
    await post('/oauth2/revoke', { token, client_id: 'demo-confidential', client_secret: 'demo' })
    expect(await app.isActive(token)).toBe(false)
  })
})
