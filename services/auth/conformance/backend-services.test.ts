import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemIds } from '../../../packages/clock/ids.ts'
import { assertionType } from '../grants/client-assertion.ts'
import { redirectUri, SmartApp, type Tokens } from '../testing/smart-app.ts'
import { startTestAuth, type TestAuth } from '../testing/test-auth.tsx'

let auth: TestAuth
let keys: { readonly es: KeyPair; readonly rs: KeyPair; readonly other: KeyPair }
let published: { keys: readonly JWK[]; cacheControl: string; fetches: number }
const keyServer = createServer((_request, response) => {
  published.fetches++
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': published.cacheControl })
  response.end(JSON.stringify({ keys: published.keys }))
})

interface KeyPair {
  readonly jwk: JWK
  readonly privateKey: CryptoKey
}

async function keyPair(alg: 'ES384' | 'RS384', kid: string): Promise<KeyPair> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  return { jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig', key_ops: ['verify'] }, privateKey }
}

beforeAll(async () => {
  keys = { es: await keyPair('ES384', 'es'), rs: await keyPair('RS384', 'rs'), other: await keyPair('ES384', 'es') }
  published = { keys: [keys.es.jwk], cacheControl: 'max-age=600', fetches: 0 }
  await new Promise<void>((resolve) => keyServer.listen(0, '127.0.0.1', resolve))
  const { port } = keyServer.address() as AddressInfo
  const common = { authMethods: ['private_key_jwt'], scope: 'system/*.rs' }
  const mixed = { scope: 'openid user/*.rs system/Patient.rs', accessTokenSeconds: 60 }
  const backend = { ...common, grantTypes: ['client_credentials'], roles: ['SYSTEM'] }
  auth = await startTestAuth({
    section: { loopbackKeySets: true },
    clients: [
      { ...backend, clientId: 'backend', jwks: JSON.stringify({ keys: [keys.es.jwk, keys.rs.jwk] }) },
      { ...backend, clientId: 'twins', jwks: JSON.stringify({ keys: [keys.es.jwk, keys.other.jwk] }) },
      { ...backend, clientId: 'flooding', jwks: JSON.stringify({ keys: [keys.other.jwk] }) },
      { ...backend, clientId: 'mixed', ...mixed, jwks: JSON.stringify({ keys: [keys.es.jwk] }) },
      { ...backend, clientId: 'remote', jwksUri: `http://127.0.0.1:${port}/jwks` },
      {
        clientId: 'asymmetric-app',
        authMethods: ['private_key_jwt'],
        redirectUris: [redirectUri],
        jwks: JSON.stringify({ keys: [keys.es.jwk] }),
      },
    ],
  })
})
afterAll(async () => {
  await auth?.[Symbol.asyncDispose]()
  keyServer.closeAllConnections()
  keyServer.close()
})

interface AssertionWish {
  readonly clientId?: string
  readonly alg?: string
  readonly kid?: string
  readonly key?: CryptoKey
  readonly header?: Readonly<Record<string, unknown>>
  readonly claims?: Readonly<Record<string, unknown>>
}

function assertion(wish: AssertionWish = {}): Promise<string> {
  const { clientId = 'backend', alg = 'ES384', kid = 'es', key = keys.es.privateKey } = wish
  const now = Math.floor(Date.now() / 1_000)
  const claims = {
    iss: clientId,
    sub: clientId,
    aud: `${auth.url}/oauth2/token`,
    exp: now + 240,
    jti: systemIds.uuid(),
  }
  return new SignJWT({ ...claims, ...wish.claims })
    .setProtectedHeader({ alg, kid, typ: 'JWT', ...wish.header })
    .sign(key)
}

const ask = async (clientAssertion: string, changes: Readonly<Record<string, string | undefined>> = {}) =>
  new SmartApp(auth).token({
    grant_type: 'client_credentials',
    scope: 'system/*.rs',
    client_assertion_type: assertionType,
    client_assertion: clientAssertion,
    ...changes,
  })

const errorOf = async (response: Response) => [response.status, ((await response.json()) as { error?: string }).error]

describe('backend services', () => {
  it('C60: a valid assertion with an unknown grant_type is 400', async () => {
    const response = await ask(await assertion(), { grant_type: 'not_a_grant_type' })
    expect(await errorOf(response)).toEqual([400, 'unsupported_grant_type'])
  })

  it('C61: a wrong client_assertion_type is refused', async () => {
    const response = await ask(await assertion(), { client_assertion_type: 'not_an_assertion_type' })
    expect(await errorOf(response)).toEqual([401, 'invalid_client'])
  })

  it('C62: a tampered assertion is invalid_client', async () => {
    const [header, , signature] = (await assertion()).split('.')
    const payload = Buffer.from(JSON.stringify({ iss: 'backend', sub: 'backend' })).toString('base64url')
    expect(await errorOf(await ask(`${header}.${payload}.${signature}`))).toEqual([401, 'invalid_client'])
    expect(await errorOf(await ask(await assertion({ key: keys.other.privateKey })))).toEqual([401, 'invalid_client'])
  })

  it('C63: success has the four fields, five minutes at most and no refresh token', async () => {
    const response = await ask(await assertion())
    const tokens = (await response.json()) as Tokens
    expect(response.status).toBe(200)
    expect(Object.keys(tokens).sort()).toEqual(['access_token', 'expires_in', 'scope', 'token_type'])
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 300, scope: 'system/*.rs' })
  })

  it('C35: an app with a key gets an identity token', async () => {
    const app = new SmartApp(auth, 'asymmetric-app')
    const clientAssertion = await assertion({ clientId: 'asymmetric-app' })
    const response = await app.exchange(await app.code({ scope: 'openid fhirUser' }), {
      client_assertion_type: assertionType,
      client_assertion: clientAssertion,
    })
    expect(await response.json()).toHaveProperty('id_token')
  })

  it('C64: takes RS384 too, the issuer as aud, and a jku that is registered', async () => {
    expect((await ask(await assertion({ alg: 'RS384', kid: 'rs', key: keys.rs.privateKey }))).status).toBe(200)
    expect((await ask(await assertion({ claims: { aud: auth.url } }))).status).toBe(200)
  })

  it('C64, A9: an assertion is good once', async () => {
    const used = await assertion()
    expect((await ask(used)).status).toBe(200)
    expect(await errorOf(await ask(used))).toEqual([401, 'invalid_client'])
  })

  it('A9: of twenty that come with one assertion at the same moment one gets a token', async () => {
    const used = await assertion()
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await ask(used)).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })

  const soon = () => Math.floor(Date.now() / 1_000)

  it.each<[string, () => AssertionWish]>([
    ['lives for ten minutes', () => ({ claims: { exp: soon() + 600 } })],
    ['has expired', () => ({ claims: { exp: soon() - 120 } })],
    ['has no exp', () => ({ claims: { exp: undefined } })],
    ['has no jti', () => ({ claims: { jti: undefined } })],
    ['has an empty jti', () => ({ claims: { jti: '' } })],
    ['is for another server', () => ({ claims: { aud: 'https://other.example/token' } })],
    ['is of another issuer', () => ({ claims: { iss: 'someone' } })],
    ['speaks for another client', () => ({ claims: { sub: 'remote' } })],
    ['names a key that is not there', () => ({ kid: 'nobody' })],
    ['names a jku that is not registered', () => ({ header: { jku: 'https://evil.example/jwks' } })],
    ['is of a client with two keys of one name', () => ({ clientId: 'twins' })],
    ['claims RS384 for an EC key', () => ({ alg: 'RS384', kid: 'es', key: keys.rs.privateKey })],
    ['is of an unknown client', () => ({ clientId: 'nobody' })],
    ['is of a client with a secret', () => ({ clientId: 'svc-bridge' })],
  ])('C64, A9: an assertion that %s is 401 invalid_client', async (_what, wish) => {
    expect(await errorOf(await ask(await assertion(wish())))).toEqual([401, 'invalid_client'])
  })

  it('A8: an assertion without signature or with a shared secret is refused', async () => {
    const claims = { iss: 'backend', sub: 'backend', aud: auth.url, exp: soon() + 60, jti: 'x' }
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const unsigned = `${encoded({ alg: 'none', kid: 'es' })}.${encoded(claims)}.`
    const shared = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'es' })
      .sign(new TextEncoder().encode(JSON.stringify(keys.es.jwk)))
    for (const forged of [unsigned, shared, 'x']) {
      expect(await errorOf(await ask(forged))).toEqual([401, 'invalid_client'])
    }
  })

  it('C64: a key set by address is fetched, kept as long as it may be, and looked at again for a new key', async () => {
    published.fetches = 0
    expect((await ask(await assertion({ clientId: 'remote' }))).status).toBe(200)
    expect((await ask(await assertion({ clientId: 'remote' }))).status).toBe(200)
    expect(published.fetches).toBe(1)
  })

  it('failed assertions of one client are held neither against another nor against its own that are good', async () => {
    const forged = async () => ask(await assertion({ clientId: 'flooding' }))
    const statuses = await Promise.all(Array.from({ length: 60 }, async () => (await forged()).status))
    expect(new Set(statuses)).toEqual(new Set([401]))
    expect((await forged()).status).toBe(429)
    expect((await ask(await assertion())).status).toBe(200)
    const good = await assertion({ clientId: 'flooding', key: keys.other.privateKey })
    expect((await ask(good)).status).toBe(200)
  })

  it('a client_id in the form must be that of the assertion', async () => {
    expect(await errorOf(await ask(await assertion(), { client_id: 'remote' }))).toEqual([401, 'invalid_client'])
  })

  it('scopes are those that are registered, in full when none are asked for', async () => {
    expect(await (await ask(await assertion(), { scope: undefined })).json()).toMatchObject({ scope: 'system/*.rs' })
    const narrow = await ask(await assertion(), { scope: 'system/Patient.cruds user/*.rs' })
    expect(await narrow.json()).toMatchObject({ scope: 'system/Patient.rs' })
    for (const scope of ['system/*.cud', 'system/Nonsense.rs']) {
      expect(await errorOf(await ask(await assertion(), { scope }))).toEqual([400, 'invalid_scope'])
    }
    const known = await ask(await assertion(), { scope: 'system/Nonsense.rs system/Patient.rs' })
    expect(await known.json()).toMatchObject({ scope: 'system/Patient.rs' })
  })

  it('scopes are those of programs only, whatever else is registered; an empty wish counts as none', async () => {
    const asked = async (scope: string | undefined) => ask(await assertion({ clientId: 'mixed' }), { scope })
    for (const scope of [undefined, '', 'openid user/*.rs system/*.rs']) {
      expect(await (await asked(scope)).json()).toMatchObject({ scope: 'system/Patient.rs', expires_in: 60 })
    }
    for (const scope of ['user/*.rs', 'openid', ' ']) {
      expect(await errorOf(await asked(scope))).toEqual([400, 'invalid_scope'])
    }
  })
})
