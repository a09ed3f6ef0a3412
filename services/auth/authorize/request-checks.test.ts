import { describe, expect, it } from 'vitest'
import type { AuthSettings } from '../settings.ts'
import type { Client } from '../store/clients.ts'
import type { Asked } from './asked.ts'
import { checkAudience } from './check-audience.ts'
import { checkCodeChallenge } from './check-code-challenge.ts'
import { checkLengths } from './check-lengths.ts'
import { checkPrompt, promptsOf } from './check-prompt.ts'
import { checkRedirectUri } from './check-redirect-uri.ts'
import { checkRequestObject } from './check-request-object.ts'
import { checkRequired } from './check-required.ts'
import { checkResponseType } from './check-response-type.ts'
import { challengeOf, isChallenge, isVerifier } from './code-challenge.ts'

const good = 'A'.repeat(43)

describe('PKCE', () => {
  it('is good with a challenge of S256', () => {
    expect(checkCodeChallenge(asked({ code_challenge: good, code_challenge_method: 'S256' }))).toBeUndefined()
  })

  it.each([
    ['is missing', {}, 'invalid_client'],
    ['has a method and no challenge', { code_challenge_method: 'S256' }, 'invalid_client'],
    ['has no method', { code_challenge: good }, 'invalid_request'],
  ])('that %s is shown as wrong', (_what, parameters, code) => {
    expect(() => checkCodeChallenge(asked(parameters))).toThrow(expect.objectContaining({ kind: 'incorrect', code }))
  })

  it.each([
    ['has the method plain', { code_challenge: good, code_challenge_method: 'plain' }, 'code_challenge_method must'],
    ['has a short challenge', { code_challenge: 'A', code_challenge_method: 'S256' }, 'code_challenge must'],
  ])('that %s is refused', (_what, parameters, description) => {
    expect(checkCodeChallenge(asked(parameters))).toEqual({
      error: 'invalid_request',
      description: expect.stringContaining(description) as string,
    })
  })

  it.each([
    ['42 characters', 'a'.repeat(42), false],
    ['43 characters', 'a'.repeat(43), true],
    ['128 characters', 'a'.repeat(128), true],
    ['129 characters', 'a'.repeat(129), false],
    ['every kind of character', `aZ09-._~${'a'.repeat(40)}`, true],
    ['a slash at its end', `${'a'.repeat(43)}/`, false],
    ['a slash at its beginning', `/${'a'.repeat(43)}`, false],
  ])('takes a verifier of %s: %s', (_what, verifier, expected) => {
    expect(isVerifier(verifier)).toBe(expected)
  })

  it.each([
    ['42 characters', 'a'.repeat(42), false],
    ['43 characters', good, true],
    ['44 characters', 'a'.repeat(44), false],
    ['padding', `${'a'.repeat(43)}=`, false],
    ['a dot before it', `.${'a'.repeat(43)}`, false],
    ['a dot in it', `${'a'.repeat(42)}.`, false],
  ])('takes a challenge of %s: %s', (_what, challenge, expected) => {
    expect(isChallenge(challenge)).toBe(expected)
  })

  it('makes the challenge of RFC 7636, appendix B, of its verifier', () => {
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
    expect(challengeOf(verifier)).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')
  })
})

describe('the audience', () => {
  const deps = { settings: { fhirBase: 'https://fhir.example/fhir' } as AuthSettings }

  it.each(['https://fhir.example/fhir', 'https://fhir.example/fhir/'])('%s is our FHIR server', (aud) => {
    expect(checkAudience(asked({ aud }), deps)).toBeUndefined()
  })

  it.each([undefined, '', 'https://fhir.example/fhir//', 'https://fhir.example/fhir/x', 'https://evil.example/fhir'])(
    '%s is not',
    (aud) => {
      const parameters: Record<string, string> = aud === undefined ? {} : { aud }
      expect(() => checkAudience(asked(parameters), deps)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
    },
  )
})

describe('the length of what an app chooses', () => {
  const deps = { settings: { scopeLengthMax: 300, stateLengthMax: 70 } as AuthSettings }

  it.each([
    ['scope', 300, undefined],
    ['scope', 301, { error: 'invalid_scope', description: 'scope has more than 300 characters.' }],
    ['state', 70, undefined],
    ['state', 71, { error: 'invalid_request', description: 'state has more than 70 characters.' }],
  ])('%s of %d characters', (name, length, expected) => {
    expect(checkLengths(asked({ [name]: 'x'.repeat(length) }), deps)).toEqual(expected)
  })
})

describe('the address of return', () => {
  const client = {
    redirectUris: ['https://app.example/cb', 'http://127.0.0.1/cb', 'http://[::1]', 'http://127.0.0.1:9/fixed'],
  } as unknown as Client

  it.each([
    'https://app.example/cb',
    'http://127.0.0.1/cb',
    'http://127.0.0.1:1/cb',
    'http://127.0.0.1:65535/cb',
    'http://[::1]:3000',
    'http://[::1]:3',
    'http://127.0.0.1:9/fixed',
  ])('%s is good', (uri) => {
    expect(checkRedirectUri({ redirect_uri: uri }, client)).toBe(uri)
  })

  it.each([
    'https://app.example/cb/',
    'https://app.example:8443/cb',
    'https://app.example',
    'http://127.0.0.1:3000',
    'http://127.0.0.1:3000/cb/',
    'http://127.0.0.1:3000/x/cb',
    'http://127.0.0.1:3000@evil.example/cb',
    'http://127.0.0.1:1@evil.example:3000/cb',
    'http://[::1]:3000/',
    'undefined:3000',
    'http://127.0.0.1:123456/cb',
    'http://127.0.0.1:/cb',
    'http://127.0.0.1:x3/cb',
    'http://127.0.0.1:3x/cb',
    'http://127.0.0.1:3/CB',
    'http://127.0.0.10:3000/cb',
    'http://127.0.0.2:3000/cb',
    'http://[::1]:3000/cb',
    'http://127.0.0.1:10/fixed',
    'https://127.0.0.1:3000/cb',
    'xhttp://127.0.0.1:3000/cb',
  ])('%s is not registered', (uri) => {
    expect(() => checkRedirectUri({ redirect_uri: uri }, client)).toThrow(
      expect.objectContaining({
        kind: 'incorrect',
        code: 'invalid_request',
        shown: expect.stringContaining('not registered'),
      }),
    )
  })

  it('may have any port only where what is registered is a loopback address, not where it holds one', () => {
    const holding = { redirectUris: ['https://app.example/?to=http://127.0.0.1/cb'] } as unknown as Client
    expect(() => checkRedirectUri({ redirect_uri: 'http://127.0.0.1:3000/cb' }, holding)).toThrow('redirect_uri')
  })

  it('is required', () => {
    expect(() => checkRedirectUri({}, client)).toThrow(
      expect.objectContaining({ code: 'invalid_request', shown: 'redirect_uri is required.' }),
    )
  })
})

describe('the rest of a request', () => {
  const whole = { response_type: 'code', scope: 'openid', state: 's', aud: 'a' }

  it('is complete with what is required', () => {
    expect(checkRequired(asked(whole))).toBeUndefined()
  })

  it.each([
    [['response_type'], 'response_type is required.'],
    [['scope'], 'scope is required.'],
    [['state'], 'state is required.'],
    [['aud'], 'aud is required.'],
    [['state', 'aud'], 'state, aud are required.'],
  ])('that lacks %j is shown as wrong', (absent, shown) => {
    const given = Object.fromEntries(Object.entries(whole).filter(([name]) => !absent.includes(name)))
    expect(() => checkRequired(asked(given))).toThrow(expect.objectContaining({ code: 'invalid_request', shown }))
  })

  it.each<[Record<string, string>, string | undefined]>([
    [{ response_type: 'code' }, undefined],
    [{ response_type: 'code', response_mode: 'query' }, undefined],
    [{ response_type: 'code', response_mode: 'fragment' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{}, 'unsupported_response_type'],
  ])('that asks for %j: %s', (parameters, error) => {
    expect(checkResponseType(asked(parameters))?.error).toBe(error)
  })

  it.each<[Record<string, string>, string | undefined]>([
    [{}, undefined],
    [{ request: 'x' }, 'request_not_supported'],
    [{ request_uri: 'x' }, 'request_uri_not_supported'],
  ])('that brings %j: %s', (parameters, error) => {
    expect(checkRequestObject(asked(parameters))?.error).toBe(error)
  })

  it.each<[Record<string, string>, string | undefined]>([
    [{}, undefined],
    [{ prompt: 'none' }, undefined],
    [{ prompt: ' none ' }, undefined],
    [{ prompt: 'login consent' }, undefined],
    [{ prompt: 'none login' }, 'invalid_request'],
    [{ max_age: '0' }, undefined],
    [{ max_age: '999999999' }, undefined],
    [{ max_age: '1000000000' }, 'invalid_request'],
    [{ max_age: '' }, 'invalid_request'],
    [{ max_age: '-1' }, 'invalid_request'],
    [{ max_age: '1s' }, 'invalid_request'],
  ])('that says %j: %s', (parameters, error) => {
    expect(checkPrompt(asked(parameters))?.error).toBe(error)
  })

  it('names its prompts one by one', () => {
    expect(promptsOf({ prompt: ' login  consent' })).toEqual(['login', 'consent'])
    expect(promptsOf({})).toEqual([])
  })
})

// Sound: these checks look at the parameters and at nothing else.
const asked = (parameters: Record<string, string>) => ({ parameters }) as unknown as Asked
