import { describe, expect, it } from 'vitest'
import { callerOf, isExpired } from './claims.ts'

const nowSeconds = 1_780_000_000
const now = new Date(nowSeconds * 1000)
const rules = { issuer: 'https://auth.example', audiences: ['corridor', 'fhir'], leewaySeconds: 60 }
const claims = {
  iss: 'https://auth.example',
  aud: 'corridor',
  exp: nowSeconds + 300,
  iat: nowSeconds,
  sub: 'dr-amara',
  client_id: 'demo-app',
  jti: 'token-1',
}

describe('the claims of a token', () => {
  it('say who calls, each in its place', () => {
    const context = {
      patient: 'p',
      encounter: 'e',
      fhirUser: 'Practitioner/a',
      organisation: 'Organization/o',
      gid: 'g',
    }
    const caller = callerOf({ ...claims, ...context, scope: 'openid', roles: ['ADMIN'] }, rules, now)
    expect(caller).toEqual({
      subject: 'dr-amara',
      clientId: 'demo-app',
      roles: new Set(['ADMIN']),
      scope: 'openid',
      organisation: 'Organization/o',
      patient: 'p',
      encounter: 'e',
      fhirUser: 'Practitioner/a',
      tokenId: 'token-1',
      grantId: 'g',
      expiresAt: new Date((nowSeconds + 300) * 1000),
    })
    expect(Object.isFrozen(caller)).toBe(true)
  })

  it('may leave out everything but who and until when; null is the same as nothing', () => {
    const nothing = { patient: null, encounter: null, fhirUser: null, organisation: null, gid: null, scope: null }
    const caller = callerOf({ ...claims, ...nothing }, rules, now)
    expect(caller).toEqual(callerOf(claims, rules, now))
    expect(caller).toMatchObject({ scope: '', patient: undefined, grantId: undefined, roles: new Set() })
  })

  it.each<[string, object]>([
    ['another audience of ours', { aud: 'fhir' }],
    ['one audience of ours among others', { aud: ['elsewhere', 'fhir'] }],
    ['an end that the clocks could be wrong about', { exp: nowSeconds - 59.999 }],
    ['a beginning at the limit of the clocks', { nbf: nowSeconds + 60 }],
    ['a birth at the limit of the clocks', { iat: nowSeconds + 60 }],
    ['a birth at the beginning of time', { iat: 0, nbf: 0 }],
    ['the last end there is', { exp: 253_402_300_799 }],
    ['the longest subject', { sub: 's'.repeat(255) }],
    ['the longest scope', { scope: 's'.repeat(16_384) }],
    ['the longest user', { fhirUser: 's'.repeat(2_048) }],
    ['the longest organisation', { organisation: 's'.repeat(255) }],
    ['a space and a tilde', { sub: 'a ~' }],
    ['a subject in another script', { sub: 'آمنة' }],
  ])('are good with %s', (_what, changes) => {
    expect(callerOf({ ...claims, ...changes }, rules, now).clientId).toBe('demo-app')
  })

  it.each<[string, object, string]>([
    ['another issuer', { iss: 'https://auth.example.evil' }, 'from another issuer'],
    ['another audience', { aud: 'elsewhere' }, 'for another service'],
    ['no audience', { aud: undefined }, 'for another service'],
    ['an empty list of audiences', { aud: [] }, 'for another service'],
    ['something else beside our audience', { aud: ['corridor', 7] }, 'for another service'],
    ['an end that no clock is wrong about', { exp: nowSeconds - 60 }, 'has expired'],
    ['a beginning beyond the clocks', { nbf: nowSeconds + 60.001 }, 'is not valid yet'],
    ['a birth beyond the clocks', { iat: nowSeconds + 60.001 }, 'was issued in the future'],
    ['no birth', { iat: undefined }, 'no usable "iat"'],
    ['a birth before time', { iat: -0.001 }, 'no usable "iat"'],
    ['an end after all time', { exp: 253_402_300_800 }, 'no usable "exp"'],
    ['an end that is no number', { exp: Number.NaN }, 'no usable "exp"'],
    ['an end as text', { exp: '9' }, 'no usable "exp"'],
    ['a beginning that is null', { nbf: null }, 'no usable "nbf"'],
    ['no subject', { sub: undefined }, 'no usable "sub"'],
    ['an empty subject', { sub: '' }, 'no usable "sub"'],
    ['too long a subject', { sub: 's'.repeat(256) }, 'no usable "sub"'],
    ['no client', { client_id: null }, 'no usable "client_id"'],
    ['no id', { jti: '' }, 'no usable "jti"'],
    ['too long a scope', { scope: 's'.repeat(16_385) }, 'no usable "scope"'],
    ['too long a user', { fhirUser: 's'.repeat(2_049) }, 'no usable "fhirUser"'],
    ['too long an organisation', { organisation: 's'.repeat(256) }, 'no usable "organisation"'],
    ['a patient that is a number', { patient: 7 }, 'no usable "patient"'],
    ['an encounter that is a list', { encounter: ['e'] }, 'no usable "encounter"'],
    ['a grant that is true', { gid: true }, 'no usable "gid"'],
    ['a zero byte', { sub: 'a\u0000' }, 'no usable "sub"'],
    ['the last control character', { sub: 'a\u001f' }, 'no usable "sub"'],
    ['a delete character', { sub: 'a\u007f' }, 'no usable "sub"'],
    ['roles that are a number', { roles: 7 }, 'no usable "roles"'],
    ['roles that are an object', { roles: {} }, 'no usable "roles"'],
    ['a role that is no text', { roles: ['ADMIN', 7] }, 'no usable "roles"'],
  ])('are refused with %s', (_what, changes, why) => {
    expect(() => callerOf({ ...claims, ...changes }, rules, now)).toThrow(
      expect.objectContaining({
        kind: 'unauthenticated',
        code: 'invalid_token',
        shown: expect.stringContaining(why) as string,
      }),
    )
  })

  it.each<[unknown, string[]]>([
    ['ADMIN SYSTEM', ['ADMIN', 'SYSTEM']],
    ['ROLE_PATIENT', ['PATIENT']],
    [['ROLE_CLINICIAN', 'OTHER'], ['CLINICIAN']],
    ['XROLE_ADMIN', []],
    ['ADROLE_MIN', []],
    ['', []],
    [null, []],
  ])('give the roles of %j as %j', (roles, expected) => {
    expect([...callerOf({ ...claims, roles }, rules, now).roles]).toEqual(expected)
  })
})

describe('an end', () => {
  it.each([
    [-60_001, true],
    [-60_000, true],
    [-59_999, false],
    [0, false],
    [1, false],
  ])('%s ms from now is past, with a minute of leeway: %s', (ms, expected) => {
    expect(isExpired(new Date(now.getTime() + ms), 60, now)).toBe(expected)
  })
})
