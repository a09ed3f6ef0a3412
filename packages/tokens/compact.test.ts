import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { claimsOf, isSignedBy, keyIdOf } from './compact.ts'

describe('the form of a token', () => {
  it.each<[string, object]>([
    ['the short type', {}],
    ['the long type', { typ: 'application/at+jwt' }],
    ['its type in capitals', { typ: 'AT+JWT' }],
    ['the longest name of a key', { kid: 'k'.repeat(255) }],
    ['hints where its key might be', { jku: 'https://evil.example', x5c: [] }],
  ])('is good with %s', (_what, header) => {
    expect(keyIdOf(tokenWith(header))).toBe({ kid: 'key-1', ...header }.kid)
  })

  it.each<[string, object, string]>([
    ['no algorithm', { alg: 'none' }, 'not signed with RS256'],
    ['a shared secret', { alg: 'HS256' }, 'not signed with RS256'],
    ['an algorithm in small letters', { alg: 'rs256' }, 'not signed with RS256'],
    ['an extension that must be understood', { crit: [] }, 'a header extension'],
    ['a payload that is not encoded', { b64: true }, 'a header extension'],
    ['no type', { typ: undefined }, 'not an access token'],
    ['a type that is no text', { typ: 7 }, 'not an access token'],
    ['a type that is a list of one', { typ: ['at+jwt'] }, 'not an access token'],
    ['a type that only begins like ours', { typ: 'at+jwt2' }, 'not an access token'],
    ['a type that only ends like ours', { typ: 'xat+jwt' }, 'not an access token'],
    ['no name of a key', { kid: undefined }, 'does not name its key'],
    ['an empty name of a key', { kid: '' }, 'does not name its key'],
    ['too long a name of a key', { kid: 'k'.repeat(256) }, 'does not name its key'],
    ['a number as name of a key', { kid: 1 }, 'does not name its key'],
  ])('is refused with %s', (_what, header, why) => {
    expect(() => keyIdOf(tokenWith(header))).toThrow(refusal(why))
  })

  it.each<[string, string, string]>([
    ['nothing', '', 'not a signed JWT'],
    ['two parts', 'e30.e30', 'not a signed JWT'],
    ['four parts', `${tokenWith({})}.e30`, 'not a signed JWT'],
    ['an empty first part', '.e30.e30', 'not a signed JWT'],
    ['an empty last part', `${tokenWith({}).split('.').slice(0, 2).join('.')}.`, 'not a signed JWT'],
    ['padding', `${tokenWith({})}=`, 'not a signed JWT'],
    ['spare bits in its last letter', `${tokenWith({}).slice(0, -1)}B`, 'not a signed JWT'],
    ['a header that is no JSON', `${encoded('x')}.e30.e30`, 'not a signed JWT'],
    ['a header that is a list', `${encoded('[]')}.e30.e30`, 'not a signed JWT'],
    ['a header with a name twice', `${encoded('{"alg":"RS256","alg":"none"}')}.e30.e30`, 'a name twice'],
    ['one letter too many', tokenOfLength(16_385), 'too long'],
  ])('is refused with %s', (_what, token, why) => {
    expect(() => keyIdOf(token)).toThrow(refusal(why))
  })

  it('is good up to 16,384 letters', () => {
    expect(keyIdOf(tokenOfLength(16_384))).toBe('key-1')
  })
})

describe('a signed token', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
  const input = `${encoded('{"alg":"RS256"}')}.${encoded('{"sub":"dr-amara"}')}`
  const token = `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`

  it('is signed by its key, whole, and by no other', () => {
    expect(isSignedBy(publicKey, token)).toBe(true)
    expect(isSignedBy(other, token)).toBe(false)
    expect(isSignedBy(publicKey, token.replace(encoded('{"sub":"dr-amara"}'), encoded('{"sub":"admin"}')))).toBe(false)
  })

  it('has its claims in the middle', () => {
    expect(claimsOf(token)).toEqual({ sub: 'dr-amara' })
  })
})

const encoded = (text: string) => Buffer.from(text).toString('base64url')

function tokenWith(header: object): string {
  const whole = { alg: 'RS256', typ: 'at+jwt', kid: 'key-1', ...header }
  return `${encoded(JSON.stringify(whole))}.e30.${Buffer.alloc(256).toString('base64url')}`
}

/** Letters are added four by four, so that every length is a spelling that bytes have. */
function tokenOfLength(length: number): string {
  const [header = '', payload = ''] = tokenWith({}).split('.')
  const left = length - header.length - payload.length - 2
  return `${header}.${payload}.${'A'.repeat(left)}`
}

const refusal = (why: string) =>
  expect.objectContaining({ kind: 'unauthenticated', code: 'invalid_token', shown: expect.stringContaining(why) })
