import { describe, expect, it } from 'vitest'
import { isOpen, openPrivateKey, storedPrivateKey } from './private-key.ts'

describe('a private key as it is stored', () => {
  const jwk = '{"kty":"EC","crv":"P-256"}'

  it('is sealed where there is a secret, and opens with it alone', () => {
    const stored = storedPrivateKey(jwk, 'a secret of the operator')
    expect([isOpen(stored), stored.includes('"EC"')]).toEqual([false, false])
    expect(openPrivateKey(stored, 'a secret of the operator')).toBe(jwk)
    expect(() => openPrivateKey(stored, 'another secret')).toThrow('unable to authenticate')
    expect(() => openPrivateKey(stored, undefined)).toThrow('a sealed key needs its secret')
  })

  it('opens as it was sealed before, too', () => {
    const stored = 'sealed:4dJZzYtj4NWiJowviI-S6nt4YM533qZdbkNk6LWBN_OHXwM2mpqBvceiUxhPlHGoOj9Q_HrM'
    expect(openPrivateKey(stored, 'a secret of the operator')).toBe(jwk)
  })

  it('lies as it is where there is no secret', () => {
    const stored = storedPrivateKey(jwk, undefined)
    expect([isOpen(stored), openPrivateKey(stored, undefined), openPrivateKey(stored, 'set later')]).toEqual([
      true,
      jwk,
      jwk,
    ])
  })
})
