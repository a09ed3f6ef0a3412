import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { usableKeys } from './usable-keys.ts'

describe('a published key', () => {
  it.each<[string, object]>([
    ['just what a key needs', {}],
    ['the use of signing', { use: 'sig' }],
    ['the algorithm that is used here', { alg: 'RS256' }],
    ['the operation of verifying among others', { key_ops: ['sign', 'verify'] }],
    ['the longest name', { kid: 'k'.repeat(255) }],
    ['the padding that base64url does without', { n: `${modulusOf(2048)}==` }],
    ['2048 bits', { n: modulusOf(2048) }],
    ['8192 bits', { n: modulusOf(8192) }],
    ['the exponent three', { e: 'Aw' }],
    ['the exponent of the platform with a leading zero', { e: 'AAEAAQ' }],
    ['the largest exponent', { e: '_____w' }],
    ['a modulus with a leading zero', { n: Buffer.concat([Buffer.alloc(1), bytesOf(2048)]).toString('base64url') }],
  ])('is used with %s', (_what, changes) => {
    const key = { ...rsa, ...changes }
    expect(usableKeys({ keys: [key] }).get(key.kid)).toMatchObject({ type: 'public', asymmetricKeyType: 'rsa' })
  })

  it.each<[string, unknown]>([
    ['another type', { ...rsa, kty: 'EC' }],
    ['no type', { ...rsa, kty: undefined }],
    ['the use of encrypting', { ...rsa, use: 'enc' }],
    ['another algorithm', { ...rsa, alg: 'PS256' }],
    ['only the operation of signing', { ...rsa, key_ops: ['sign'] }],
    ['operations as a text', { ...rsa, key_ops: 'verify' }],
    ['no name', { ...rsa, kid: undefined }],
    ['an empty name', { ...rsa, kid: '' }],
    ['too long a name', { ...rsa, kid: 'k'.repeat(256) }],
    ['a name that is a number', { ...rsa, kid: 7 }],
    ['no exponent', { ...rsa, e: undefined }],
    ['no modulus', { ...rsa, n: undefined }],
    ['an empty modulus', { ...rsa, n: '' }],
    ['an empty exponent', { ...rsa, e: '' }],
    ['the exponent nought', { ...rsa, e: 'AA' }],
    ['the exponent one', { ...rsa, e: 'AQ' }],
    ['the exponent two', { ...rsa, e: 'Ag' }],
    ['an even exponent', { ...rsa, e: 'AQAA' }],
    ['an exponent of 33 bits', { ...rsa, e: 'AQAAAAE' }],
    ['an exponent as long as a modulus', { ...rsa, e: modulusOf(2048) }],
    ['an exponent that is a number', { ...rsa, e: 65537 }],
    ['an exponent of one letter, which is no whole byte', { ...rsa, e: 'A' }],
    ['an even modulus', { ...rsa, n: `${rsa.n.slice(0, -2)}_g` }],
    ['a modulus of nought', { ...rsa, n: Buffer.alloc(256).toString('base64url') }],
    ['1024 bits', { ...rsa, n: modulusOf(1024) }],
    ['no operation', { ...rsa, key_ops: [] }],
    ['only the operation of encrypting', { ...rsa, key_ops: ['encrypt'] }],
    ['an operation that is no text', { ...rsa, key_ops: [null, { verify: true }] }],
    ['the use of both', { ...rsa, use: ['sig'] }],
    ['the use of nothing', { ...rsa, use: '' }],
    ['an algorithm that encrypts', { ...rsa, alg: 'RSA-OAEP' }],
    ['no algorithm at all', { ...rsa, alg: 'none' }],
    ['a longer hash', { ...rsa, alg: 'RS512' }],
    ['2047 bits', { ...rsa, n: modulusOf(2047) }],
    ['8193 bits', { ...rsa, n: modulusOf(8193) }],
    ['nothing at all', null],
    ['a list in its place', [rsa]],
  ])('is left out with %s', (_what, key) => {
    expect([...usableKeys({ keys: [key, { ...rsa, kid: 'other' }] }).keys()]).toEqual(['other'])
  })

  it('is left out where two have its name, and only then', () => {
    const keys = [rsa, { ...rsa, n: modulusOf(3072) }, { ...rsa, kid: 'b' }, { ...rsa, kty: 'EC', kid: 'b' }]
    expect([...usableKeys({ keys }).keys()]).toEqual(['b'])
  })

  it('that is private is used as the public key only', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'a' }
    expect(usableKeys({ keys: [jwk] }).get('a')).toMatchObject({ type: 'public' })
  })
})

describe('a set of keys', () => {
  it('may be empty, and may hold 128 keys', () => {
    expect(usableKeys({ keys: [] }).size).toBe(0)
    expect(usableKeys({ keys: many(128) }).size).toBe(128)
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'keys'],
    ['a list', [{ keys: [rsa] }]],
    ['an object without keys', {}],
    ['keys that are an object', { keys: {} }],
    ['129 keys', { keys: many(129) }],
  ])('is not readable when it is %s', (_what, jwks) => {
    expect(() => usableKeys(jwks)).toThrow(expect.objectContaining({ kind: 'unavailable', code: 'KEYS_UNAVAILABLE' }))
  })
})

/** Any odd number of the right size will do: whether it has two factors shows only where a signature is made. */
function bytesOf(bits: number): Buffer {
  const bytes = Buffer.alloc(Math.ceil(bits / 8), 0xff)
  bytes[0] = 0xff >> (bytes.length * 8 - bits)
  return bytes
}

function modulusOf(bits: number): string {
  return bytesOf(bits).toString('base64url')
}

const rsa = { kty: 'RSA', kid: 'a', e: 'AQAB', n: modulusOf(2048) }

const many = (count: number) => Array.from({ length: count }, (_, index) => ({ ...rsa, kid: `key-${index}` }))
