import { describe, expect, it } from 'vitest'
import { sameDigest, sameSecret } from '../secrets/digest.ts'
import type { Client } from '../store/clients.ts'
import { isSecretOf, secretHashOf } from './client-secret.ts'

const now = new Date('2026-06-01T12:00:00Z')
const hashOf = (secret: string) => secretHashOf(secret, { mode: 'demo', clientId: 'app' })

describe('a client secret', () => {
  it.each<[string, Partial<Client>, boolean]>([
    ['the current one', { secretHash: hashOf('mine') }, true],
    ['another one', { secretHash: hashOf('other') }, false],
    ['one where the client has none', {}, false],
    ['the one before, in its time', retiring(1), true],
    ['the one before, at its end', retiring(0), false],
    ['the one before, after its time', retiring(-1), false],
    ['the one before, without a time', { ...retiring(1), retiringUntil: null }, false],
    ['a time without one before', { ...retiring(1), retiringSecretHash: null }, false],
    ['neither of two', { ...retiring(1), retiringSecretHash: hashOf('third') }, false],
    ['the current one beside one before', { ...retiring(1), secretHash: hashOf('mine') }, true],
  ])('%s: %s', (_what, changes, expected) => {
    // Sound: a secret is held against these members and no others.
    const client = { secretHash: null, retiringSecretHash: null, retiringUntil: null, ...changes } as Client
    expect(isSecretOf(client, 'mine', now)).toBe(expected)
  })

  it('is kept as its digest, and in production has 32 characters', () => {
    const production = { mode: 'production', clientId: 'app' } as const
    expect(secretHashOf('x'.repeat(32), production)).toMatch(/^sha256:[\w-]{43}$/)
    expect(() => secretHashOf('x'.repeat(31), production)).toThrow(
      expect.objectContaining({ code: 'REGISTRATION_REFUSED' }),
    )
    expect(hashOf('short')).toMatch(/^sha256:/)
  })
})

describe('two secrets', () => {
  it.each([
    ['a', 'a', true],
    ['a', 'b', false],
    ['a', 'ab', false],
    ['', '', true],
  ])('%j and %j are the same: %s', (some, other, expected) => {
    expect(sameSecret(some, other)).toBe(expected)
    expect(sameDigest(some, other)).toBe(expected)
  })
})

function retiring(msLeft: number): Partial<Client> {
  return {
    secretHash: hashOf('new'),
    retiringSecretHash: hashOf('mine'),
    retiringUntil: new Date(now.getTime() + msLeft),
  }
}
