import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../clock/simulated-clock.ts'
import { roles } from '../tokens/caller.ts'
import { localKeySet } from '../tokens/key-set.ts'
import { makeTokenVerifier } from '../tokens/verifier.ts'
import { makeTestKey, type TestKey } from './test-key.ts'
import { testIssuer, type TestIssuer } from './tokens.ts'

const clock = new SimulatedClock()
let key: TestKey
let issuer: TestIssuer
beforeAll(async () => {
  key = await makeTestKey()
  issuer = await testIssuer({ clock, key })
})
afterAll(() => issuer[Symbol.asyncDispose]())

describe('the test issuer', () => {
  it.each(roles)('makes a good token for a %s', async (role) => {
    const caller = await issuer.verifier().verify(await issuer.tokenFor({ role }))
    expect(caller.roles).toEqual(new Set([role]))
    expect(caller.subject).not.toBe('')
  })

  it('makes a token that says what the test wants', async () => {
    const wish = {
      subject: 's',
      scope: 'a b',
      organisation: 'o',
      patient: 'p',
      encounter: 'e',
      grantId: 'g',
      tokenId: 't',
    }
    const token = await issuer.tokenFor({ ...wish, roles: ['ADMIN', 'SYSTEM'], clientId: 'c', expiresInSeconds: 10 })
    const caller = await issuer.verifier().verify(token)
    const expiresAt = new Date(clock.now().getTime() + 10_000)
    expect(caller).toMatchObject({ ...wish, clientId: 'c', expiresAt })
    expect(caller.roles).toEqual(new Set(['ADMIN', 'SYSTEM']))
  })

  it.each([
    ['that has expired', { expiresInSeconds: -120 }, 'The access token has expired.'],
    ['for another service', { audience: 'elsewhere' }, 'The access token is for another service.'],
    ['from another issuer', { issuer: 'https://evil.example' }, 'The access token is from another issuer.'],
    ['without a subject', { claims: { sub: undefined } }, 'The access token has no usable "sub".'],
  ])('makes a token %s, which is refused', async (_, wish, message) => {
    await expect(issuer.verifier().verify(await issuer.tokenFor(wish))).rejects.toThrow(message)
  })

  it('makes a refresh token, which is no access token', async () => {
    const token = await issuer.tokenFor({ typ: 'rt+jwt' })
    await expect(issuer.verifier().verify(token)).rejects.toMatchObject({ kind: 'unauthenticated' })
  })

  it('publishes its public key, and nothing private, at a real address', async () => {
    const jwks = (await (await fetch(issuer.jwksUrl)).json()) as { keys: Record<string, unknown>[] }
    expect(issuer.jwksFetches).toBe(1)
    expect(Object.keys(jwks.keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
    const keySet = localKeySet(jwks)
    const verifier = makeTokenVerifier({ issuer: issuer.url, audiences: ['corridor'], keySet, clock })
    expect((await verifier.verify(await issuer.tokenFor({ role: 'PATIENT' }))).subject).toBe('amina-diallo')
    expect((await fetch(`${issuer.url}/else`)).ok).toBe(false)
  })

  it('rotates its key: old tokens hold until the old key is withdrawn', async () => {
    await using own = await testIssuer({ clock, key })
    const verifier = own.verifier()
    const old = await own.tokenFor()
    const next = await makeTestKey('next-key')
    own.rotate(next)
    expect((await verifier.verify(old)).subject).toBe('dr-amara')
    own.rotate(next, { withdraw: true })
    await expect(verifier.verify(old)).rejects.toThrow('The access token is signed with an unknown key.')
    expect((await verifier.verify(await own.tokenFor())).subject).toBe('dr-amara')
  })
})
