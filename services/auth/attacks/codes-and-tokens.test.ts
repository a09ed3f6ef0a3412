import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { challengeOf } from '../authorize/code-challenge.ts'
import { digestOf } from '../secrets/digest.ts'
import { endSession } from '../store/sessions.ts'
import { answerOf, basic, launchToken, redirectUri, SmartApp, type Tokens } from '../testing/smart-app.ts'
import { MovedClock } from '../../../packages/testkit/moved-clock.ts'
import { startTestAuth, type TestAuth } from '../testing/test-auth.tsx'
import type { TestBrowser } from '../testing/test-browser.ts'

let auth: TestAuth
let browser: TestBrowser
let app: SmartApp
const clock = new MovedClock()
beforeAll(async () => {
  auth = await startTestAuth({ clock, clients: [briefApp] })
})
beforeEach(async () => {
  browser = auth.browser()
  await browser.signIn()
  app = new SmartApp(auth)
})
afterAll(() => auth?.[Symbol.asyncDispose]())

const briefApp = { clientId: 'brief-app', redirectUris: [redirectUri], refreshTokenSeconds: 3_600 }

const statusesOf = async (count: number, work: () => Promise<Response>) => {
  const responses = await Promise.all(Array.from({ length: count }, work))
  return responses.map(({ status }) => status).sort((a, b) => a - b)
}

const waitingForLocks = async () => {
  const { count } = await auth.database.one<{ count: number }>(sql`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return count > 0
}

describe('codes', () => {
  it('A1: a replayed code ends everything that it gave', async () => {
    const code = await app.code({}, browser)
    const tokens = (await (await app.exchange(code)).json()) as Tokens
    const replayed = await app.exchange(code)
    const says = 'The code was used before, so what it gave has ended. A code serves once; authorize again.'
    expect([replayed.status, await replayed.json()]).toEqual([400, { error: 'invalid_grant', error_description: says }])
    expect(await app.isActive(tokens.access_token)).toBe(false)
    expect((await app.refresh(tokens.refresh_token)).status).toBe(400)
  })

  it('A1, A27: of fifty that exchange one code at the same moment exactly one gets tokens', async () => {
    const code = await app.code({}, browser)
    const statuses = await statusesOf(50, () => app.exchange(code))
    expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 400)])
  })

  it('A2: a stolen code is worth nothing to another client, elsewhere, or without its verifier', async () => {
    const code = await app.code({}, browser)
    const changes = { client_id: 'immunization-app' }
    expect((await app.exchange(code, changes)).status).toBe(400)
    for (const stolen of [{ redirect_uri: `${redirectUri}/` }, { code_verifier: undefined }]) {
      expect((await app.exchange(await app.code({}, browser), stolen)).status).toBe(400)
    }
    expect((await app.exchange(code)).status).toBe(200)
  })

  it('A2: a failed try uses the code up', async () => {
    const code = await app.code({}, browser)
    await app.exchange(code, { code_verifier: 'x'.repeat(43) })
    expect((await app.exchange(code)).status).toBe(400)
  })

  it('A3: a verifier that is too short is refused, though its challenge fits', async () => {
    const code = await app.code({ code_challenge: challengeOf('short') }, browser)
    expect((await app.exchange(code, { code_verifier: 'short' })).status).toBe(400)
  })

  it('A3: the verifier of one request is worth nothing for another', async () => {
    const other = new SmartApp(auth)
    expect((await app.exchange(await app.code({}, browser), { code_verifier: other.verifier })).status).toBe(400)
  })

  it('a code has a minute', async () => {
    const code = await app.code({}, browser)
    clock.forward(61)
    expect((await app.exchange(code)).status).toBe(400)
  })

  it.each(['openid', 'openid offline_access'])('A26: a code for %s ends with the login it came from', async (scope) => {
    const code = await app.code({ scope }, browser)
    await browser.post('/logout', {})
    const response = await app.exchange(code)
    expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })])
  })

  it('A26: a code that comes while its login ends waits, and gets nothing', async () => {
    const code = await app.code({ scope: 'openid' }, browser)
    const { sessionHash } = await auth.database.one<{ sessionHash: string }>(
      sql`select session_hash as "sessionHash" from auth.codes where code_hash = ${digestOf(code)}`,
    )
    const exchanging = await auth.database.transaction(async (tx) => {
      await endSession(sessionHash, clock.now(), tx)
      const response = app.exchange(code)
      await waitFor(async () => (await waitingForLocks()) || undefined, { what: 'the exchange waits for the sign-out' })
      // In an array, or the transaction would wait for it.
      return [response]
    })
    expect((await exchanging[0])?.status).toBe(400)
  })

  it('A6: the answer names its issuer, unless a deployment turns that off', async () => {
    expect(answerOf(await app.authorize(browser)).get('iss')).toBe(auth.url)
    await using quiet = await startTestAuth({ section: { authorizationResponseIss: false } })
    const user = quiet.browser()
    await user.signIn()
    expect(answerOf(await new SmartApp(quiet).authorize(user)).has('iss')).toBe(false)
  })
})

describe('refresh tokens', () => {
  it('A4: one that comes back ends the family, its successor and access tokens included', async () => {
    const first = await app.tokens({}, browser)
    const second = (await (await app.refresh(first.refresh_token)).json()) as Tokens
    const replayed = await app.refresh(first.refresh_token)
    const says =
      'The refresh token was used before, so all that was granted with it has ended. Each serves once; authorize again.'
    expect([replayed.status, await replayed.json()]).toEqual([400, { error: 'invalid_grant', error_description: says }])
    expect((await app.refresh(second.refresh_token)).status).toBe(400)
    expect(await app.isActive(second.access_token)).toBe(false)
  })

  it('A4: one that comes back with a wish for more than was granted ends the family as well', async () => {
    const first = await app.tokens({}, browser)
    const second = (await (await app.refresh(first.refresh_token)).json()) as Tokens
    const replayed = await app.refresh(first.refresh_token, { scope: 'system/*.cruds' })
    expect([replayed.status, await replayed.json()]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })])
    expect((await app.refresh(second.refresh_token)).status).toBe(400)
    expect(await app.isActive(second.access_token)).toBe(false)
  })

  it('A4: of another client is refused and stays good for its own', async () => {
    const { refresh_token: token } = await app.tokens({}, browser)
    expect((await app.refresh(token, { client_id: 'immunization-app' })).status).toBe(400)
    expect((await app.refresh(token)).status).toBe(200)
  })

  it('A4: one that was used ends nothing in the hands of another client', async () => {
    const first = await app.tokens({}, browser)
    const second = (await (await app.refresh(first.refresh_token)).json()) as Tokens
    expect((await app.refresh(first.refresh_token, { client_id: 'immunization-app' })).status).toBe(400)
    expect((await app.refresh(second.refresh_token)).status).toBe(200)
  })

  it('A1, A4: what comes back is written down with whose it was and whence it came; what is too old is no theft', async () => {
    const told = async (event: string, token: string) =>
      auth.database.many(sql`
        select outcome, client_id as "clientId", peer, request_id is not null as "hasRequest"
        from auth.audit_events where event = ${event} and grant_id = ${String(decodeJwt(token)['gid'])}::uuid`)
    const failure = { outcome: 'failure', clientId: 'demo-app', peer: '127.0.0.1', hasRequest: true }
    const code = await app.code({}, browser)
    const replayed = (await (await app.exchange(code)).json()) as Tokens
    await app.exchange(code)
    expect(await told('code replayed', replayed.access_token)).toEqual([failure])
    const reused = await app.tokens({}, browser)
    await app.refresh(reused.refresh_token)
    await app.refresh(reused.refresh_token)
    expect(await told('refresh token reused', reused.access_token)).toEqual([failure])
    const old = await app.tokens({}, browser)
    clock.forward(15 * 86_400)
    expect((await app.refresh(old.refresh_token)).status).toBe(400)
    expect(await told('refresh token reused', old.access_token)).toEqual([])
    // Nor is one that was swept away.
    await auth.database.run(sql`delete from auth.refresh_tokens`)
    for (const fields of [{}, { scope: 'openid' }]) {
      const unknown = await app.refresh(old.refresh_token, fields)
      expect([unknown.status, await unknown.json()]).toMatchObject([400, { error: 'invalid_grant' }])
    }
  })

  it('A4: of a confidential client needs its proof', async () => {
    const confidential = new SmartApp(auth, 'demo-confidential')
    const response = await confidential.exchange(await confidential.code({}, browser), { client_secret: 'demo' })
    const { refresh_token: token } = (await response.json()) as Tokens
    expect((await confidential.refresh(token)).status).toBe(401)
    expect((await confidential.refresh(token, { client_id: undefined })).status).toBe(401)
    expect((await confidential.refresh(token, { client_secret: 'demo' })).status).toBe(200)
  })

  it('A27: of ten that refresh at the same moment one wins, and then nobody has anything', async () => {
    const { refresh_token: token } = await app.tokens({}, browser)
    const statuses = await statusesOf(10, () => app.refresh(token))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(await app.isActive(token)).toBe(false)
  })

  it('with the leeway of a deployment, two tabs that refresh together both go on', async () => {
    await using lenient = await startTestAuth({ section: { refreshReuseLeewaySeconds: 10 } })
    const lenientApp = new SmartApp(lenient)
    const { refresh_token: token } = await lenientApp.tokens()
    expect(await statusesOf(2, () => lenientApp.refresh(token))).toEqual([200, 200])
  })

  it('that leeway counts from the first use, however often a token comes within it', async () => {
    await using lenient = await startTestAuth({ clock, section: { refreshReuseLeewaySeconds: 10 } })
    const lenientApp = new SmartApp(lenient)
    const { refresh_token: token } = await lenientApp.tokens()
    const statuses: number[] = []
    for (let time = 0; time < 3; time++) {
      statuses.push((await lenientApp.refresh(token)).status)
      clock.forward(7)
    }
    expect(statuses).toEqual([200, 200, 400])
  })

  it('serve nobody while their user or their app is disabled, however that came to be', async () => {
    const { refresh_token: token } = await app.tokens({}, browser)
    const whose = [sql`auth.clients set status = `, sql`auth.users set status = `]
    for (const one of whose) {
      await auth.database.run(sql`update ${one} 'disabled'`)
      expect((await app.refresh(token)).status).toBe(400)
      await auth.database.run(sql`update ${one} 'active'`)
    }
    expect((await app.refresh(token)).status).toBe(200)
  })

  it('within that leeway a wish for more than was granted ends nothing, and after it the family', async () => {
    await using lenient = await startTestAuth({ clock, section: { refreshReuseLeewaySeconds: 10 } })
    const lenientApp = new SmartApp(lenient)
    const { refresh_token: token } = await lenientApp.tokens()
    const second = (await (await lenientApp.refresh(token)).json()) as Tokens
    const errorOf = async () => (await lenientApp.refresh(token, { scope: 'system/*.cruds' })).json()
    expect(await errorOf()).toMatchObject({ error: 'invalid_scope' })
    const third = (await (await lenientApp.refresh(second.refresh_token)).json()) as Tokens
    clock.forward(11)
    expect(await errorOf()).toMatchObject({ error: 'invalid_grant' })
    expect((await lenientApp.refresh(third.refresh_token)).status).toBe(400)
  })

  it('die after fourteen days without use, and after ninety in any case', async () => {
    let { refresh_token: token } = await app.tokens({}, browser)
    for (let week = 0; week < 12; week++) {
      clock.forward(7 * 86_400)
      token = ((await (await app.refresh(token)).json()) as Tokens).refresh_token
    }
    clock.forward(7 * 86_400)
    expect((await app.refresh(token)).status).toBe(400)
    await browser.signIn()
    const idle = await app.tokens({}, browser)
    clock.forward(15 * 86_400)
    expect((await app.refresh(idle.refresh_token)).status).toBe(400)
  })

  it('die when the registration of their client says so', async () => {
    const brief = new SmartApp(auth, 'brief-app')
    const { refresh_token: token } = await brief.tokens({ scope: 'openid offline_access' }, browser)
    clock.forward(3_500)
    const again = (await (await brief.refresh(token)).json()) as Tokens
    clock.forward(200)
    expect((await brief.refresh(again.refresh_token)).status).toBe(400)
  })

  it('without offline_access end with the login, eight hours at most', async () => {
    const { refresh_token: token } = await app.tokens({ scope: 'openid' }, browser)
    clock.forward(7 * 3_600)
    const again = (await (await app.refresh(token)).json()) as Tokens
    clock.forward(3_700)
    expect((await app.refresh(again.refresh_token)).status).toBe(400)
  })

  it('A26: logging out ends online grants and leaves offline ones', async () => {
    const online = await app.tokens({ scope: 'openid' }, browser)
    const offline = await app.tokens({ scope: 'openid offline_access' }, browser)
    expect((await browser.post('/logout', {})).headers.get('location')).toBe('/login?logout')
    expect(await app.isActive(online.access_token)).toBe(false)
    expect((await app.refresh(online.refresh_token)).status).toBe(400)
    expect((await app.refresh(offline.refresh_token)).status).toBe(200)
    expect((await browser.get('/portal')).headers.get('location')).toBe('/login')
  })
})

describe('a login after a login', () => {
  const moments: [when: string, seconds: number][] = [
    ['while the one before is alive', 60],
    ['after the one before was idle for too long', 31 * 60],
  ]

  it.each(moments)(
    'A26: in the same browser, %s, takes online apps along, and signing out ends them',
    async (_when, seconds) => {
      const online = await app.tokens({ scope: 'openid' }, browser)
      const offline = await app.tokens({ scope: 'openid offline_access' }, browser)
      clock.forward(seconds)
      await browser.signIn()
      const again = (await (await app.refresh(online.refresh_token)).json()) as Tokens
      expect(await app.isActive(again.access_token)).toBe(true)
      await browser.post('/logout', {})
      expect(await app.isActive(again.access_token)).toBe(false)
      expect((await app.refresh(again.refresh_token)).status).toBe(400)
      expect((await app.refresh(offline.refresh_token)).status).toBe(200)
    },
  )

  it.each(moments)('A26: of somebody else, %s, ends the online apps of the one before', async (_when, seconds) => {
    const online = await app.tokens({ scope: 'openid' }, browser)
    const offline = await app.tokens({ scope: 'openid offline_access' }, browser)
    clock.forward(seconds)
    await browser.signIn('clinician2')
    expect(await app.isActive(online.access_token)).toBe(false)
    expect((await app.refresh(online.refresh_token)).status).toBe(400)
    expect((await app.refresh(offline.refresh_token)).status).toBe(200)
  })

  it('A26: is not needed to sign out of one that was idle for too long', async () => {
    const online = await app.tokens({ scope: 'openid' }, browser)
    const offline = await app.tokens({ scope: 'openid offline_access' }, browser)
    clock.forward(31 * 60)
    const page = await browser.get('/logout')
    expect([page.status, await page.text()]).toEqual([200, expect.not.stringContaining('Amara')])
    expect(await app.isActive(online.access_token)).toBe(true)
    expect((await browser.post('/logout', {})).headers.get('location')).toBe('/login?logout')
    expect(await app.isActive(online.access_token)).toBe(false)
    expect((await app.refresh(online.refresh_token)).status).toBe(400)
    expect((await app.refresh(offline.refresh_token)).status).toBe(200)
    expect((await browser.get('/logout')).headers.get('location')).toBe('/login?logout')
  })

  it('A26: that fails, or is in another browser, changes nothing', async () => {
    const online = await app.tokens({ scope: 'openid' }, browser)
    await browser.signIn('clinician2', 'wrong')
    await auth.browser().signIn('clinician2')
    const elsewhere = auth.browser()
    await elsewhere.signIn()
    await elsewhere.post('/logout', {})
    expect(await app.isActive(online.access_token)).toBe(true)
    expect((await browser.get('/portal')).status).toBe(200)
  })
})

describe('tokens in the wrong place', () => {
  const userinfo = async (token: string) =>
    (await fetch(`${auth.url}/oauth2/userinfo`, { headers: { authorization: `Bearer ${token}` } })).status

  it('A7: a refresh or identity token opens nothing', async () => {
    const tokens = await app.tokens({}, browser)
    expect(await userinfo(tokens.access_token)).toBe(200)
    expect(await userinfo(tokens.refresh_token)).toBe(401)
    expect(await userinfo(tokens.id_token)).toBe(401)
  })

  it('A8: nor does one that says so itself, unsigned or signed with the public key as a secret', async () => {
    const { access_token: token } = await app.tokens({}, browser)
    const claims = decodeJwt(token)
    const [key] = auth.signingKeys.publicKeys().keys
    const secret = new TextEncoder().encode(JSON.stringify(key))
    const shared = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: key?.kid ?? '' })
      .sign(secret)
    expect(await userinfo(new UnsecuredJWT(claims).encode())).toBe(401)
    expect(await userinfo(shared)).toBe(401)
  })

  it('A25: keys rotate without a 401, and what a withdrawn key signed is refused', async () => {
    const before = await app.tokens({}, browser)
    const [old] = auth.signingKeys.list()
    await auth.signingKeys.rotate({ immediately: true })
    const after = await app.tokens({}, browser)
    expect([await userinfo(before.access_token), await userinfo(after.access_token)]).toEqual([200, 200])
    expect((await app.refresh(before.refresh_token)).status).toBe(200)
    await auth.signingKeys.remove(old?.kid ?? '')
    expect([await userinfo(before.access_token), await userinfo(after.access_token)]).toEqual([401, 200])
  })

  it('one that is past its end is not active: who has signed it needs no leeway for the clocks of others', async () => {
    const { access_token: token, expires_in: seconds } = await app.tokens({}, browser)
    clock.forward(seconds - 5)
    expect(await app.isActive(token)).toBe(true)
    clock.forward(10)
    expect(await app.introspect(token)).toEqual({ active: false })
  })

  it('A28: introspection wants to know who asks', async () => {
    const body = () => new URLSearchParams({ token: 'x' })
    const ask = (headers: Record<string, string>, fields = body()) =>
      fetch(`${auth.url}/oauth2/introspect`, { method: 'POST', headers, body: fields })
    expect((await ask({})).status).toBe(401)
    expect((await ask({ authorization: basic('svc-bridge', 'wrong') })).status).toBe(401)
    expect((await ask({ authorization: 'Bearer x' })).status).toBe(401)
    const asPublic = body()
    asPublic.set('client_id', 'demo-app')
    expect((await ask({}, asPublic)).status).toBe(401)
  })
})

describe('launch tokens', () => {
  const scope = 'launch openid patient/*.rs'

  it('A11: are good once, for the app and the user they were made for, for five minutes', async () => {
    const launch = await launchToken(browser)
    const other = auth.browser()
    await other.signIn('clinician2')
    expect((await app.authorize(other, { launch, scope })).status).toBe(401)
    expect((await new SmartApp(auth, 'demo-confidential').authorize(browser, { launch, scope })).status).toBe(401)
    expect((await app.authorize(browser, { launch: 'unknown', scope })).status).toBe(401)
    expect((await app.authorize(browser, { launch, scope })).status).toBe(302)
    const again = await browser.get(`/oauth2/authorize?${app.parameters({ launch, scope })}`, { accept: '*/*' })
    expect([again.status, await again.json()]).toEqual([
      401,
      { error: 'invalid_request', error_description: 'launch token not found, expired or already used' },
    ])
    const late = await launchToken(browser)
    clock.forward(301)
    expect((await app.authorize(browser, { launch: late, scope })).status).toBe(401)
  })

  it('A11: are worth nothing to who may no longer open the portal', async () => {
    await using server = await startTestAuth()
    const user = server.browser()
    await user.signIn()
    const launch = await launchToken(user)
    const roles = async (given: readonly string[]) =>
      server.database.run(sql`update auth.users set roles = ${given}::text[] where username = 'clinician'`)
    await roles(['PATIENT'])
    expect((await new SmartApp(server).authorize(user, { launch, scope })).status).toBe(401)
    await roles(['CLINICIAN'])
    expect((await new SmartApp(server).authorize(user, { launch, scope })).status).toBe(302)
  })

  it('A27: of twenty requests with one launch at the same moment one gets a code', async () => {
    const launch = await launchToken(browser)
    const rejected = async () =>
      auth.database.one<{ count: number }>(
        sql`select count(*)::integer as count from auth.audit_events where event = 'launch rejected'`,
      )
    const { count: before } = await rejected()
    const statuses = await statusesOf(20, () => app.authorize(browser, { launch, scope }))
    expect(statuses).toEqual([302, ...Array.from({ length: 19 }, () => 401)])
    expect(await rejected()).toEqual({ count: before + 19 })
  })

  it('A12: alone decide the patient, whatever the request says', async () => {
    const launch = await launchToken(browser)
    const changes = { launch, scope, patient: 'kofi-mensah', encounter: 'visit-2' }
    expect(await app.tokens(changes, browser)).toMatchObject({ patient: 'amina-diallo', encounter: null })
  })

  it('A12: a patient that the user cannot see cannot be picked', async () => {
    const request = answerOf(await app.authorize(browser, { scope: 'launch/patient openid' })).get('request') ?? ''
    expect((await browser.post('/oauth2/authorize/patient', { request, patientId: 'nobody' })).status).toBe(404)
    const other = auth.browser()
    await other.signIn('clinician2')
    const stolen = await other.post('/oauth2/authorize/patient', { request, patientId: 'amina-diallo' })
    expect(stolen.status).toBe(400)
  })
})

describe('scopes', () => {
  it('A13: never grow: not beyond the user, the registration or the grant', async () => {
    const { scope } = await app.tokens({ scope: 'openid system/*.cruds patient/*.dus user/*.dus user/*.rs' }, browser)
    expect(scope).toBe('openid user/*.rs')
    const patient = auth.browser()
    await patient.signIn('patient')
    expect(await app.tokens({ scope: 'openid user/*.cruds' }, patient)).toMatchObject({ scope: 'openid' })
  })
})
