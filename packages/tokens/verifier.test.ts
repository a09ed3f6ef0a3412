import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../clock/simulated-clock.ts'
import { Fault, unavailable } from '../faults/fault.ts'
import { localKeySet, type JsonWebKeys, type KeySet } from './key-set.ts'
import { makeRsaKey, makeTestIssuer, type TestIssuer } from '../testkit/simulated-issuer.ts'
import { tokenAttacks } from '../testkit/token-attacks.ts'
import { makeTokenVerifier, type IsRevoked, type TokenVerifier } from './verifier.ts'

const clock = new SimulatedClock()
let issuer: TestIssuer

beforeAll(async () => {
  issuer = await makeTestIssuer(clock)
})

describe('an access token', () => {
  it('tells who calls', async () => {
    const token = await issuer.token({
      patient: 'amina-diallo',
      encounter: null,
      fhirUser: 'https://fhir.example/fhir/Practitioner/dr-amara',
      organisation: 'Organization/central-hospital',
      gid: 'grant-1',
    })
    expect(await verifier().verify(token)).toEqual({
      subject: 'dr-amara',
      clientId: 'demo-app',
      roles: new Set(['CLINICIAN']),
      scope: 'openid patient/*.rs',
      organisation: 'Organization/central-hospital',
      patient: 'amina-diallo',
      encounter: undefined,
      fhirUser: 'https://fhir.example/fhir/Practitioner/dr-amara',
      tokenId: 'token-1',
      grantId: 'grant-1',
      expiresAt: new Date(clock.now().getTime() + 3_600_000),
    })
  })

  it.each<[string, (now: number) => Record<string, unknown>]>([
    ['one of several audiences is ours', () => ({ aud: ['https://platform.example', 'https://fhir.example/fhir'] })],
    ['it has just expired and the clocks may differ', (now) => ({ exp: now - 59 })],
    ['it is not valid yet and the clocks may differ', (now) => ({ nbf: now + 59, iat: now + 59 })],
    ['it has claims that we do not know', () => ({ cnf: { jkt: 'x' }, amr: ['pwd'] })],
    ['it has no scope', () => ({ scope: undefined })],
  ])('is good when %s', async (_why, changes) => {
    const token = await issuer.token(changes(clock.now().getTime() / 1000))
    await expect(verifier().verify(token)).resolves.toMatchObject({ subject: 'dr-amara' })
  })

  it.each([
    ['its type is written as a media type', { typ: 'application/at+jwt' }],
    ['its type is written in capitals', { typ: 'AT+JWT' }],
    ['its header names a key, which is not looked at', { typ: 'at+jwt', jku: 'https://evil.example/jwks' }],
  ])('is good when %s', async (_why, header) => {
    const token = await new SignJWT(issuer.claims())
      .setProtectedHeader({ alg: 'RS256', kid: issuer.kid, ...header })
      .sign(issuer.privateKey)
    await expect(verifier().verify(token)).resolves.toMatchObject({ subject: 'dr-amara' })
  })

  it.each<[string, unknown, string[]]>([
    ['an array', ['ADMIN', 'CLINICIAN'], ['ADMIN', 'CLINICIAN']],
    ['a text with spaces', 'SYSTEM ADMIN', ['ADMIN', 'SYSTEM']],
    ['prefixed', ['ROLE_PATIENT'], ['PATIENT']],
    ['prefixed in a text', 'ROLE_SYSTEM', ['SYSTEM']],
    ['in lower case', ['clinician', 'role_admin'], []],
    ['unknown', ['SUPERUSER', 'CLINICIAN ', '__proto__'], []],
    ['prefixed twice', ['ROLE_ROLE_ADMIN'], []],
    ['missing', undefined, []],
    ['null', null, []],
    ['an empty text', '', []],
  ])('with roles %s: %j', async (_why, claim, expected) => {
    const caller = await verifier().verify(await issuer.token({ roles: claim }))
    expect([...caller.roles].sort()).toEqual(expected)
  })
})

describe('an attack', () => {
  let evil: Server
  let hits = 0

  beforeAll(async () => {
    evil = createServer((_request, response) => {
      hits++
      response.end('{"keys":[]}')
    })
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve))
  })

  afterAll(() => new Promise((resolve) => evil.close(resolve)))

  it('with any forged, damaged or misused token is refused, with the reason and nothing of the token', async () => {
    // Sound: the server listens on a TCP port, so its address is one.
    const { port } = evil.address() as AddressInfo
    const attacks = await tokenAttacks({
      privateKey: issuer.privateKey,
      kid: issuer.kid,
      claims: issuer.claims(),
      foreignKey: await makeRsaKey(),
      foreignUrl: `http://127.0.0.1:${port}/jwks`,
      now: clock.now(),
    })
    const service = verifier()
    const outcomes = await Promise.all(
      attacks.map(async ({ name, token }) => ({ name, said: await refusalOf(service, token) })),
    )
    expect(outcomes).toEqual(
      attacks.map(({ name, refusal }) => ({
        name,
        said: expect.stringMatching(new RegExp(`^401 invalid_token ${refusal}`)),
      })),
    )
    expect(attacks.length).toBeGreaterThan(60)
    expect(hits).toBe(0)
    await expect(service.verify(await issuer.token())).resolves.toMatchObject({ subject: 'dr-amara' })
  })

  it.each([
    ['itself', { jti: 'stolen' }],
    ['its grant', { gid: 'ended' }],
  ])('with a token after %s was revoked is refused, also when the token is remembered', async (_what, changes) => {
    const revoked = new Set<string>()
    const isRevoked: IsRevoked = async ({ tokenId, grantId }) => revoked.has(tokenId) || revoked.has(grantId ?? '')
    const service = verifier({ isRevoked })
    const token = await issuer.token(changes)
    await service.verify(token)
    revoked.add('stolen').add('ended')
    expect(await refusalOf(service, token)).toBe('401 invalid_token The access token has been revoked.')
    revoked.clear()
    await expect(service.verify(token)).resolves.toBeDefined()
  })
})

it('a token whose revocation cannot be asked for is refused, unless its signature is to be believed', async () => {
  const service = verifier({ isRevoked: () => Promise.reject(unavailable('The database is away.')) })
  const token = await issuer.token()
  await expect(service.verify(token)).rejects.toThrow('The database is away.')
  await expect(service.verify(token, { believesSignature: true })).resolves.toMatchObject({ subject: 'dr-amara' })
  await expect(service.verify(`${token}x`, { believesSignature: true })).rejects.toMatchObject({
    code: 'invalid_token',
  })
  const revoked = verifier({ isRevoked: () => true })
  await expect(revoked.verify(token, { believesSignature: true })).rejects.toThrow('has been revoked')
})

describe('a verified token', () => {
  it('is looked up, not verified again, for a minute', async () => {
    const { keySet, asked } = counting()
    const service = verifier({ keySet, cacheSeconds: 60 })
    const token = await issuer.token({ exp: Math.floor(clock.now().getTime() / 1000) + 7_200 })
    await service.verify(token)
    await service.verify(token)
    expect(asked()).toBe(1)
    await clock.advance(59_999)
    await service.verify(token)
    expect(asked()).toBe(1)
    await clock.advance(1)
    await service.verify(token)
    expect(asked()).toBe(2)
  })

  it('is looked up for a minute and believed for a minute after its end, where nothing else is said', async () => {
    const { keySet, asked } = counting()
    const service = verifier({ keySet })
    const token = await issuer.token({ exp: Math.floor(clock.now().getTime() / 1000) + 59 })
    await service.verify(token)
    await clock.advance(59_999)
    await service.verify(token)
    expect(asked()).toBe(1)
    await clock.advance(1)
    await service.verify(token)
    expect(asked()).toBe(2)
    await clock.advance(58_999)
    await expect(service.verify(token)).resolves.toBeDefined()
    await clock.advance(1)
    expect(await refusalOf(service, token)).toBe('401 invalid_token The access token has expired.')
  })

  it('is refused once it has expired, though it is remembered', async () => {
    const service = verifier({ cacheSeconds: 86_400 })
    const token = await issuer.token()
    await service.verify(token)
    await clock.advance(3_600_000 + 60_000)
    expect(await refusalOf(service, token)).toBe('401 invalid_token The access token has expired.')
  })

  it('is forgotten when the keys change: a key that was rotated out is refused at once', async () => {
    let published = issuer.jwks
    const service = verifier({ keySet: localKeySet(() => published) })
    const token = await issuer.token()
    await service.verify(token)
    published = { keys: [] }
    expect(await refusalOf(service, token)).toBe('401 invalid_token The access token is signed with an unknown key.')
  })

  it('is not remembered when its key was withdrawn just after it was found', async () => {
    const keys = localKeySet(issuer.jwks)
    let version = 1
    const keySet: KeySet = {
      async find(kid) {
        const found = version === 1 ? await keys.find(kid) : undefined
        version = 2
        // Another request sees the new keys in between.
        expect(await refusalOf(service, 'another')).toContain('invalid_token')
        return found
      },
      get version() {
        return version
      },
    }
    const service = verifier({ keySet })
    const token = await issuer.token()
    await service.verify(token)
    expect(await refusalOf(service, token)).toBe('401 invalid_token The access token is signed with an unknown key.')
  })

  it('needs a verifier that knows for whom tokens are', () => {
    const { issuer: name, jwks } = issuer
    expect(() => makeTokenVerifier({ issuer: name, audiences: [], keySet: localKeySet(jwks), clock })).toThrow(
      'at least one audience',
    )
  })

  it('leaves when the room is needed', async () => {
    const { keySet, asked } = counting()
    const service = verifier({ keySet, cacheMax: 2 })
    const tokens = await Promise.all(['a', 'b', 'c'].map((jti) => issuer.token({ jti })))
    for (const token of [...tokens, ...tokens.slice(0, 1)]) await service.verify(token)
    expect(asked()).toBe(4)
  })

  it('is never remembered when it was refused', async () => {
    const { keySet, asked } = counting()
    const service = verifier({ keySet })
    const token = await issuer.token({ nbf: Math.floor(clock.now().getTime() / 1000) + 90 })
    expect(await refusalOf(service, token)).toContain('not valid yet')
    expect(await refusalOf(service, token)).toContain('not valid yet')
    expect(asked()).toBe(2)
    await clock.advance(30_000)
    await expect(service.verify(token)).resolves.toBeDefined()
  })
})

type Settings = { keySet?: KeySet; isRevoked?: IsRevoked; cacheSeconds?: number; cacheMax?: number }

function verifier(settings: Settings = {}): TokenVerifier {
  const { issuer: name, audience, jwks } = issuer
  return makeTokenVerifier({ issuer: name, audiences: [audience], keySet: localKeySet(jwks), clock, ...settings })
}

function counting(jwks: JsonWebKeys = issuer.jwks) {
  const keys = localKeySet(jwks)
  let count = 0
  const keySet: KeySet = {
    find(kid) {
      count++
      return keys.find(kid)
    },
    get version() {
      return keys.version
    },
  }
  return { keySet, asked: () => count }
}

/** What the caller is told; a token that passes has no refusal. */
async function refusalOf(service: TokenVerifier, token: string): Promise<string | undefined> {
  return service.verify(token).then(
    () => undefined,
    (thrown: unknown) => {
      if (!(thrown instanceof Fault) || thrown.kind !== 'unauthenticated') throw thrown
      return `401 ${thrown.code} ${thrown.shown}`
    },
  )
}
