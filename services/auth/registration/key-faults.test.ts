import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { keyFaults } from './key-faults.ts'

const ec = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const ecKey = { ...ec.publicKey.export({ format: 'jwk' }), kid: 'ec' }
const rsaKey = (modulusLength: number) => ({
  ...generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ format: 'jwk' }),
  kid: 'rsa',
})
const curve = (namedCurve: string) => ({
  ...generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'jwk' }),
  kid: 'curve',
})

describe('the keys of a client', () => {
  it('are taken where each can check an assertion', () => {
    expect(keyFaults([ecKey, rsaKey(2048), curve('P-256')])).toEqual([])
  })

  it.each<[string, unknown, string]>([
    ['a word', 'x', 'the key at place 2 is not a JWK'],
    ['a list', [], 'the key at place 2 is not a JWK'],
    ['a shared secret', { kty: 'oct', kid: 'oct', k: 'AAAA' }, 'the key oct must have kty RSA or EC'],
    ['a private key', { ...ec.privateKey.export({ format: 'jwk' }), kid: 'own' }, 'the key own is a private key'],
    ['one without a name', { ...ecKey, kid: undefined }, 'the key at place 2 must have a kid'],
    ['an empty name', { ...ecKey, kid: '' }, 'the key at place 2 must have a kid'],
    ['one without numbers', { kty: 'EC', kid: 'none' }, 'the key none cannot be read as a public key'],
    ['a point that is not on the curve', { ...ecKey, y: ecKey.x }, 'the key ec cannot be read as a public key'],
    ['one of 1024 bits', rsaKey(1024), 'the key rsa must have 2048 bits or more'],
    ['another curve', curve('P-521'), 'the key curve must have crv P-256 or P-384'],
  ])('are refused with %s, by name', (_what, key, why) => {
    expect(keyFaults([ecKey, key])).toEqual([expect.stringContaining(`jwks: ${why}`)])
  })
})
