import { hash } from 'node:crypto'
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadDefinitions } from '../../../packages/fhir/definitions.ts'
import { answerOf, basic, launchToken, redirectUri, SmartApp, type Tokens } from '../testing/smart-app.ts'
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

const pageOrigin = new URL(redirectUri).origin

describe('the token response', () => {
  it('C23, C24, C25, C26: is 200 JSON with the four fields, never stored', async () => {
    const app = new SmartApp(auth)
    const response = await app.exchange(await app.code({}, browser))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(response.headers.get('pragma')).toContain('no-cache')
    const tokens = (await response.json()) as Tokens
    expect(Object.keys(tokens).slice(0, 9).join(' ')).toBe(
      'access_token token_type expires_in scope refresh_token patient encounter need_patient_banner id_token',
    )
    expect(tokens).toMatchObject({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'openid fhirUser offline_access',
    })
  })

  it('C27: may be read by pages of the registered origin and of no other', async () => {
    const app = new SmartApp(auth)
    const own = await app.exchange(await app.code({}, browser), {}, { origin: pageOrigin })
    expect(own.headers.get('access-control-allow-origin')).toBe(pageOrigin)
    const failed = await app.exchange('BAD_CODE', {}, { origin: pageOrigin })
    expect([failed.status, failed.headers.get('access-control-allow-origin')]).toEqual([400, pageOrigin])
    const foreign = await app.exchange('BAD_CODE', {}, { origin: 'https://evil.example' })
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('C28, C29: grants what Inferno asks for by default, word for word', async () => {
    const app = new SmartApp(auth)
    const scope = 'launch openid fhirUser offline_access patient/*.rs'
    const launch = await launchToken(browser)
    expect((await app.tokens({ launch, scope }, browser)).scope).toBe(scope)
    const patient = auth.browser()
    await patient.signIn('patient')
    const standalone = 'launch/patient openid fhirUser offline_access patient/*.rs'
    expect((await app.tokens({ scope: standalone }, patient)).scope).toBe(standalone)
  })

  it('C30: has no fhirContext, for there is none', async () => {
    expect(await new SmartApp(auth).tokens({}, browser)).not.toHaveProperty('fhirContext')
  })

  it.each([
    ['C31: a wrong verifier', { code_verifier: 'w'.repeat(64) }, 'code_verifier does not fit the code_challenge'],
    ['another redirect_uri', { redirect_uri: 'http://127.0.0.1:3000/callback' }, 'redirect_uri is not the one of the'],
    ['a verifier that is too long', { code_verifier: 'w'.repeat(1_000) }, 'code_verifier must be 43 to 128'],
    ['C32: a bad code', { code: 'BAD_CODE' }, 'The code is unknown'],
    ['C32: a bad code of another server', { code: 'x'.repeat(2_000) }, 'The code is unknown'],
  ])('%s is 400 invalid_grant, and the app is told what is wrong', async (_what, changes, says) => {
    const app = new SmartApp(auth)
    const response = await app.exchange(await app.code({}, browser), changes)
    const error = { error: 'invalid_grant', error_description: expect.stringContaining(says) }
    expect([response.status, await response.json()]).toEqual([400, error])
  })

  it.each(['w'.repeat(42), 'w'.repeat(129), `${'w'.repeat(60)}+/==`])(
    'says what a verifier is, of %s',
    async (verifier) => {
      const app = new SmartApp(auth)
      const response = await app.exchange(await app.code({}, browser), { code_verifier: verifier })
      expect(await response.json()).toEqual({
        error: 'invalid_grant',
        error_description: 'code_verifier must be 43 to 128 letters, digits or any of -._~ (RFC 7636 section 4.1).',
      })
    },
  )

  it.each([
    ['an absent', undefined],
    ['a blank', ''],
  ])('C31: %s verifier is 400 invalid_request, and the code is used up', async (_what, verifier) => {
    const app = new SmartApp(auth)
    const code = await app.code({}, browser)
    const response = await app.exchange(code, { code_verifier: verifier })
    const error = { error: 'invalid_request', error_description: 'code_verifier is required.' }
    expect([response.status, await response.json()]).toEqual([400, error])
    expect(await (await app.exchange(code)).json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('C31: a verifier that equals the challenge is 400', async () => {
    const app = new SmartApp(auth)
    const response = await app.exchange(await app.code({}, browser), {
      code_verifier: hash('sha256', app.verifier, 'base64url'),
    })
    expect(response.status).toBe(400)
  })

  it('C33: an unknown client is 400 invalid_client, and missing fields are invalid_request', async () => {
    const app = new SmartApp(auth)
    for (const id of ['nobody', 'n'.repeat(300)]) {
      const unknown = await app.exchange(await app.code({}, browser), { client_id: id })
      const error = expect.objectContaining({ error: 'invalid_client' })
      expect([unknown.status, await unknown.json()]).toEqual([400, error])
    }
    for (const name of ['grant_type', 'code', 'redirect_uri', 'client_id']) {
      const response = await app.exchange('x', { [name]: undefined })
      expect([name, response.status, await response.json()]).toEqual([
        name,
        400,
        expect.objectContaining({ error: 'invalid_request' }),
      ])
    }
  })

  it('C34: a confidential client proves itself with Basic, or in the form', async () => {
    const app = new SmartApp(auth, 'demo-confidential')
    const byHeader = await app.exchange(
      await app.code({}, browser),
      { client_id: undefined },
      { authorization: basic('demo-confidential', 'demo') },
    )
    const byForm = await app.exchange(await app.code({}, browser), { client_secret: 'demo' })
    expect([byHeader.status, byForm.status]).toEqual([200, 200])
  })

  it('C34: and is refused with a wrong secret, with two proofs, or with none', async () => {
    const app = new SmartApp(auth, 'demo-confidential')
    const authorization = basic('demo-confidential', 'wrong')
    const byHeader = await app.exchange('x', { client_id: undefined }, { authorization })
    expect([byHeader.status, byHeader.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="corridor"'])
    expect((await app.exchange('x', { client_secret: 'wrong' })).status).toBe(400)
    const unproven = await app.exchange('x')
    expect([unproven.status, await unproven.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_client' }),
    ])
    const twice = { authorization: basic('demo-confidential', 'demo') }
    const both = await app.exchange('x', { client_secret: 'demo' }, twice)
    expect([both.status, await both.json()]).toEqual([400, expect.objectContaining({ error: 'invalid_request' })])
  })

  it.each(['Basic !!!', 'Basic', 'Bearer x', 'Digest username="demo-app"'])(
    'a header %j that names no client is an attempt all the same, and refused as one',
    async (authorization) => {
      const app = new SmartApp(auth, 'demo-confidential')
      for (const clientId of [undefined, 'demo-confidential']) {
        const refused = await app.exchange('x', { client_id: clientId }, { authorization })
        expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="corridor"'])
        expect(await refused.json()).toMatchObject({ error: 'invalid_client' })
      }
    },
  )

  it('userinfo without a token says so in the words of RFC 6750', async () => {
    const response = await fetch(`${auth.url}/oauth2/userinfo`)
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="corridor"'])
    expect(await response.json()).toMatchObject({ error: 'invalid_token' })
  })

  it('C37, C38: has the encounter and the banner', async () => {
    const launch = await launchToken(browser, { encounterId: 'visit-1' })
    const tokens = await new SmartApp(auth).tokens({ launch, scope: 'launch patient/Encounter.rs' }, browser)
    expect(tokens).toMatchObject({ encounter: 'visit-1', need_patient_banner: true })
    expect(tokens).not.toHaveProperty('id_token')
  })

  it('C39: has a style address that names its contents', async () => {
    const { smart_style_url: url } = await new SmartApp(auth).tokens({}, browser)
    const style = await fetch(url)
    expect(style.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await style.json()).toHaveProperty('color_background')
    expect((await fetch(url.replace(/\w+\.json$/, 'older.json'))).status).toBe(404)
  })

  it('C65: answers a version 1 request in version 1', async () => {
    const launch = await launchToken(browser)
    const scope = 'launch patient/Patient.read patient/Observation.*'
    expect((await new SmartApp(auth).tokens({ launch, scope }, browser)).scope).toBe(scope)
  })

  it('C66: grants granular scopes verbatim, all that ONC asks for', async () => {
    const launch = await launchToken(browser)
    const hl7 = 'http://terminology.hl7.org/CodeSystem'
    const core = 'http://hl7.org/fhir/us/core/CodeSystem'
    const conditions = [
      ...['encounter-diagnosis', 'problem-list-item'].map((code) => `${hl7}/condition-category|${code}`),
      `${core}/condition-category|health-concern`,
    ]
    const observations = [
      ...['laboratory', 'social-history', 'survey', 'vital-signs'].map((code) => `${hl7}/observation-category|${code}`),
      ...['clinical-test', 'sdoh'].map((code) => `${core}/us-core-category|${code}`),
    ]
    const scope = [
      'launch',
      ...conditions.map((category) => `patient/Condition.rs?category=${category}`),
      ...observations.map((category) => `patient/Observation.rs?category=${category}`),
    ].join(' ')
    expect((await new SmartApp(auth).tokens({ launch, scope }, browser)).scope).toBe(scope)
  })
})

describe('the identity token', () => {
  let tokens: Tokens
  beforeAll(async () => {
    tokens = await new SmartApp(auth).tokens({ nonce: 'n-1', scope: 'openid fhirUser profile offline_access' }, browser)
  })

  it('C40, C44, C45: is an RS256 JWT whose claims hold', async () => {
    const keys = createRemoteJWKSet(new URL(`${auth.url}/oauth2/jwks`))
    const { payload, protectedHeader } = await jwtVerify(tokens.id_token, keys, {
      issuer: auth.url,
      audience: 'demo-app',
      algorithms: ['RS256'],
    })
    expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: expect.any(String) })
    expect(payload).toMatchObject({ sub: 'dr-amara', iat: expect.any(Number), auth_time: expect.any(Number) })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600)
  })

  it('C46: says who the user is in the FHIR store', () => {
    expect(decodeJwt(tokens.id_token)).toMatchObject({
      fhirUser: `${auth.fhirBase}/Practitioner/dr-amara`,
      name: 'Dr Amara Okafor',
    })
  })

  it('C49: has the nonce and the hash of the access token', () => {
    const atHash = hash('sha256', tokens.access_token, 'buffer').subarray(0, 16).toString('base64url')
    expect(decodeJwt(tokens.id_token)).toMatchObject({ nonce: 'n-1', at_hash: atHash })
  })

  it('tells nothing of the user without the scope for it', async () => {
    const { id_token: idToken } = await new SmartApp(auth).tokens({ scope: 'openid' }, browser)
    expect(Object.keys(decodeJwt(idToken)).sort()).toEqual(
      ['at_hash', 'aud', 'auth_time', 'exp', 'iat', 'iss', 'sub'].sort(),
    )
  })
})

describe('the access token', () => {
  it('has the claims of RFC 9068 and those of the platform', async () => {
    const { access_token: token } = await new SmartApp(auth).tokens({}, browser)
    expect(decodeProtectedHeader(token)).toMatchObject({ typ: 'at+jwt', alg: 'RS256' })
    expect(decodeJwt(token)).toMatchObject({
      iss: auth.url,
      sub: 'dr-amara',
      aud: [auth.fhirBase, 'urn:corridor:platform'],
      client_id: 'demo-app',
      scope: 'openid fhirUser offline_access',
      roles: ['CLINICIAN'],
      fhirUser: 'Practitioner/dr-amara',
      organisation: 'Organization/central-hospital',
      jti: expect.any(String),
      gid: expect.any(String),
    })
  })

  it('of a third-party app does not name the platform', async () => {
    const app = new SmartApp(auth, 'demo-confidential')
    const response = await app.exchange(await app.code({}, browser), { client_secret: 'demo' })
    const { access_token: token } = (await response.json()) as Tokens
    expect(decodeJwt(token).aud).toEqual([auth.fhirBase])
  })
})

describe('userinfo', () => {
  it('says who the user is, to apps that may know', async () => {
    const { access_token: token } = await new SmartApp(auth).tokens({}, browser)
    const response = await fetch(`${auth.url}/oauth2/userinfo`, {
      headers: { authorization: `Bearer ${token}`, origin: pageOrigin },
    })
    expect(response.headers.get('access-control-allow-origin')).toBe(pageOrigin)
    expect(await response.json()).toEqual({
      sub: 'dr-amara',
      fhirUser: `${auth.fhirBase}/Practitioner/dr-amara`,
      name: 'Dr Amara Okafor',
    })
  })

  it('is refused without a token, and without openid', async () => {
    expect((await fetch(`${auth.url}/oauth2/userinfo`)).status).toBe(401)
    const { access_token: token } = await new SmartApp(auth).tokens({ scope: 'offline_access' }, browser)
    const response = await fetch(`${auth.url}/oauth2/userinfo`, { headers: { authorization: `Bearer ${token}` } })
    expect(response.status).toBe(403)
  })
})

describe('a client that requires consent', () => {
  it('C67, C68: gets what the user ticked and no more', async () => {
    await using asking = await startTestAuth({ clients: [consentApp] })
    const user = asking.browser()
    await user.signIn('patient')
    const app = new SmartApp(asking, 'asking-app')
    const scope = 'launch/patient openid offline_access patient/Observation.rs patient/Condition.rs patient/Patient.rs'
    const toConsent = await app.authorize(user, { scope })
    const page = await (await user.follow(toConsent)).text()
    expect(page).toContain('Read measurements and results of this patient')
    const request = answerOf(toConsent).get('request') ?? ''
    const laboratory =
      'patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory'
    const agreed = await user.post('/oauth2/authorize/consent', [
      ['request', request],
      ['decision', 'allow'],
      ['scope', 'patient/Patient.rs'],
      ['scope', laboratory],
      ['scope', 'patient/Immunization.rs'],
      ['scope', 'system/*.cruds'],
    ])
    const code = answerOf(await user.follow(agreed)).get('code') ?? ''
    const tokens = (await (await app.exchange(code)).json()) as Tokens
    expect(tokens.scope.split(' ').sort()).toEqual(
      ['launch/patient', 'openid', 'patient/Patient.rs', laboratory].sort(),
    )
  })

  it('C66, C67: says which part of a type is asked for, and later which part was given', async () => {
    await using asking = await startTestAuth({ clients: [consentApp] })
    const user = asking.browser()
    await user.signIn('patient')
    const app = new SmartApp(asking, 'asking-app')
    const part = (code: string) =>
      `patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|${code}`
    const scope = `launch/patient openid ${part('laboratory')} ${part('vital-signs')}`
    const toConsent = await app.authorize(user, { scope })
    const page = await (await user.follow(toConsent)).text()
    expect(page).toContain('Read measurements and results of this patient, only laboratory results')
    expect(page).toContain('Read measurements and results of this patient, only vital signs')
    expect(page).toContain('<a href="https://app.example/terms">The terms of the app</a>')
    const request = answerOf(toConsent).get('request') ?? ''
    const agreed = await user.post('/oauth2/authorize/consent', {
      ...{ request, decision: 'allow', scope: part('laboratory') },
    })
    await app.exchange(answerOf(await user.follow(agreed)).get('code') ?? '')
    const given = await (await user.get('/account/apps')).text()
    expect(given).toContain('Read measurements and results of this patient, only laboratory results')
    expect(given).not.toContain('vital signs')
  })

  it('is told when the user does not agree', async () => {
    await using asking = await startTestAuth({ clients: [consentApp] })
    const user = asking.browser()
    await user.signIn()
    const toConsent = await new SmartApp(asking, 'asking-app').authorize(user, { scope: 'openid fhirUser' })
    const request = answerOf(toConsent).get('request') ?? ''
    const denied = await user.post('/oauth2/authorize/consent', { request, decision: 'deny' })
    expect(answerOf(denied).get('error')).toBe('access_denied')
    const again = await user.post('/oauth2/authorize/consent', { request, decision: 'allow' })
    expect(again.status).toBe(400)
  })

  it('is told what the user said last, as long as it has got nothing', async () => {
    await using asking = await startTestAuth({ clients: [consentApp] })
    const user = asking.browser()
    await user.signIn('patient')
    const app = new SmartApp(asking, 'asking-app')
    const scope = 'launch/patient patient/Observation.rs patient/Condition.rs'
    const asked = async () => answerOf(await app.authorize(user, { scope })).get('request') ?? ''
    const say = (request: string, decision: string, ...scopes: string[]) =>
      user.post('/oauth2/authorize/consent', [
        ['request', request],
        ['decision', decision],
        ...scopes.map((one) => ['scope', one] as const),
      ])
    const denied = await asked()
    await say(denied, 'allow', 'patient/Observation.rs', 'patient/Condition.rs')
    expect(answerOf(await say(denied, 'deny')).get('error')).toBe('access_denied')
    expect((await user.get(`/oauth2/authorize/resume?request=${denied}`)).status).toBe(400)

    const narrowed = await asked()
    await say(narrowed, 'allow', 'patient/Observation.rs', 'patient/Condition.rs')
    const code = answerOf(await user.follow(await say(narrowed, 'allow', 'patient/Condition.rs'))).get('code') ?? ''
    const tokens = (await (await app.exchange(code)).json()) as Tokens
    expect(tokens.scope).toBe('launch/patient patient/Condition.rs')
  })

  it('may ask for every type, and is told where it asks for more than a token holds', async () => {
    const types = [...(await loadDefinitions()).resourceTypes].slice(0, 125)
    const registered = types.map((type) => `patient/${type}.cruds`).join(' ')
    await using asking = await startTestAuth({ clients: [{ ...consentApp, scope: `openid ${registered}` }] })
    const user = asking.browser()
    await user.signIn('patient')
    const app = new SmartApp(asking, 'asking-app')
    const most = 'patient/*.c patient/*.r patient/*.u patient/*.d'
    const toConsent = await app.authorize(user, { scope: most })
    const page = await (await user.follow(toConsent)).text()
    const ticked = [...page.matchAll(/name="scope" value="([^"]+)" checked/g)].map(([, scope = '']) => scope)
    expect(ticked).toHaveLength(500)
    const agreed = await user.post('/oauth2/authorize/consent', [
      ['_csrf', /name="_csrf" value="([^"]+)"/.exec(page)?.[1] ?? ''],
      ['request', answerOf(toConsent).get('request') ?? ''],
      ['patient', 'amina-diallo'],
      ...ticked.map((scope) => ['scope', scope] as const),
      ['decision', 'allow'],
    ])
    const code = answerOf(await user.follow(agreed)).get('code') ?? ''
    const tokens = (await (await app.exchange(code)).json()) as Tokens
    expect(tokens.scope.split(' ').toSorted()).toEqual(ticked.toSorted())
    const tooMany = answerOf(await app.authorize(user, { scope: `openid ${most}` }))
    expect([tooMany.get('error'), tooMany.get('error_description')]).toEqual([
      'invalid_scope',
      'The user would be asked about more than 500 scopes. Ask for fewer.',
    ])
  })

  it.each(['deny', 'allow'])('is told of it once, when the user ticks nothing and says %s', async (decision) => {
    const asked = await new SmartApp(auth).authorize(browser, { scope: 'offline_access', prompt: 'consent' })
    const request = answerOf(asked).get('request') ?? ''
    const answered = await browser.follow(await browser.post('/oauth2/authorize/consent', { request, decision }))
    expect(answerOf(answered).get('error')).toBe('access_denied')
    expect((await browser.get(`/oauth2/authorize/consent?request=${request}`)).status).toBe(400)
  })
})

const consentApp = {
  clientId: 'asking-app',
  clientName: 'Asking app',
  redirectUris: [redirectUri],
  scope: 'openid fhirUser launch/patient offline_access patient/*.rs',
  requiresConsent: true,
  tosUri: 'https://app.example/terms',
}
