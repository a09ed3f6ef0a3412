import { deflateRawSync } from 'node:zlib'
import { CompactSign } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { verdictByNewerKeys } from '../../browser/verify/newer-keys.ts'
import type { Doubt, PublicKey, TrustedKeys } from '../../browser/verify/parts.ts'
import { verdictOf } from '../../browser/verify/verdict.ts'
import { healthCard, healthCardFile, numericText, type HealthCardInput } from '../health-card.ts'
import { certificatePayload, payloadText } from '../payload.ts'
import { signedEnvelope } from '../signed-envelope.ts'
import { history } from '../testing/histories.ts'
import { testSigningKey, type TestSigningKey } from '../testing/test-signing-key.ts'
import { ar } from './words/ar.ts'
import { en } from './words/en.ts'
import { es } from './words/es.ts'
import { fr } from './words/fr.ts'
import { sw } from './words/sw.ts'

const issuer = 'https://immunization.example.org'
const former = 'https://vaccines.example.org'
const now = new Date('2026-03-04T05:06:07Z')
const patient = { name: 'Amina Diallo', family: 'Diallo', given: ['Amina'], birthDate: '2025-03-01' }

let key: TestSigningKey
let trusted: TrustedKeys
beforeAll(async () => {
  key = await testSigningKey()
  trusted = { issuers: [former, issuer], keys: [key.publicKey] }
})

const card = (more: Partial<HealthCardInput> = {}) =>
  healthCard({ patient, immunizations: history(2), issuer, issuedAt: now, today: '2026-03-04', key, ...more })

const envelope = (by = key) =>
  signedEnvelope({
    patient,
    immunizations: history(2),
    today: '2026-03-04',
    uvci: 'URN:UVCI:01:CORR:0123',
    country: 'UTO',
    key: by,
  })

const verdict = (text: string, at = now) => verdictOf(text, trusted, at)

describe('a certificate is confirmed', () => {
  it.each([
    ['as the digits of its code', async () => numericText(await card())],
    ['as the card itself', () => card()],
    ['made under an address that the app has no more', () => card({ issuer: `${former}/` })],
    ['as a file', async () => healthCardFile([await card()])],
    ['with spaces around it', async () => `\n ${numericText(await card())} \n`],
  ])('%s', async (_, text) => {
    expect(await verdict(await text())).toEqual({
      isValid: true,
      certified: {
        name: 'Amina Diallo',
        birthDate: '2025-03-01',
        issuedAt: '2026-03-04T05:06:07.000Z',
        doses: [
          expect.objectContaining({ code: '19', date: '2025-03-01', lot: 'L1000', givenBy: 'Riverside Health Centre' }),
          expect.objectContaining({ code: '08', system: 'http://hl7.org/fhir/sid/cvx' }),
        ],
      },
    })
  })

  it('as a file of several cards: all doses of the person, whoever else has cards in it', async () => {
    const [newer, older] = [history(2).slice(0, 1), history(2).slice(1)]
    const elsewhere = await card({ issuer: 'https://other.example' })
    const sister = await card({ patient: { ...patient, given: ['Awa'] } })
    const cards = [elsewhere, await card({ immunizations: newer }), sister, await card({ immunizations: older })]
    const found = await verdict(healthCardFile(cards))
    expect(found).toMatchObject({
      isValid: true,
      certified: { name: 'Amina Diallo', doses: [{ code: '08' }, { code: '19' }] },
    })
  })

  it('as a signed envelope', async () => {
    expect(await verdict(JSON.stringify(await envelope()))).toMatchObject({
      isValid: true,
      certified: { name: 'DIALLO, AMINA', doses: [{ name: 'Hepatitis B, pediatric' }, { name: 'BCG' }] },
    })
  })
})

describe('nothing is confirmed, and nothing it says is shown,', () => {
  const forgedEnvelope = async () => JSON.stringify(await envelope()).replace('AMINA', 'AMINE')
  const unsigned = () => payloadText(certificatePayload({ patient, immunizations: history(1), uvci: 'x' }))
  const spliced = async () => {
    const [header, , signature] = (await card()).split('.')
    const [, payload] = (await card({ patient: { ...patient, family: 'Other' } })).split('.')
    return [header, payload, signature].join('.')
  }
  const otherKey = async () => card({ key: await testSigningKey() })
  const stolenKid = async () => card({ key: { ...(await testSigningKey()), kid: key.kid } })
  const withoutSignature = async () => {
    const [, payload] = (await card()).split('.')
    const header = Buffer.from(JSON.stringify({ alg: 'none', zip: 'DEF', kid: key.kid })).toString('base64url')
    return `${header}.${payload}.AA`
  }
  const bomb = () => {
    const header = Buffer.from(JSON.stringify({ alg: 'ES256', zip: 'DEF', kid: key.kid })).toString('base64url')
    return `${header}.${deflateRawSync(Buffer.alloc(5_000_000, 32)).toString('base64url')}.AA`
  }
  const otherEnvelope = async () => {
    const other = await testSigningKey()
    return JSON.stringify(
      await signedEnvelope({
        patient,
        immunizations: history(1),
        today: '2026-03-04',
        uvci: 'x',
        country: 'UTO',
        key: other,
      }),
    )
  }

  it.each([
    ['when it was changed', spliced, 'bad-signature'],
    ['when it names our key and was signed with another', stolenKid, 'bad-signature'],
    ['when it is signed with a key we do not publish', otherKey, 'unknown-key'],
    ['when it says that it needs no signature', withoutSignature, 'unknown-key'],
    ['when somebody else issued it', () => card({ issuer: 'https://elsewhere.example' }), 'other-issuer'],
    ['when a card of a file was changed', async () => healthCardFile([await card(), await spliced()]), 'bad-signature'],
    ['when a file has no card', () => healthCardFile([]), 'not-a-certificate'],
    ['when it is dated tomorrow', () => card({ issuedAt: new Date('2026-03-05T05:06:07Z') }), 'not-yet-valid'],
    ['when an envelope was changed', forgedEnvelope, 'bad-signature'],
    ['when an envelope has a certificate of another key', otherEnvelope, 'unknown-key'],
    ['when it is the unsigned certificate', unsigned, 'not-signed'],
    ['when it unpacks to more than a card can hold', bomb, 'not-a-certificate'],
    ['when it is cut off', async () => (await card()).slice(0, 80), 'not-a-certificate'],
    ['when it is a web address', () => 'https://example.org/?q=a.b.c', 'not-a-certificate'],
    ['when it is nothing', () => '', 'not-a-certificate'],
    ['when it is other JSON', () => '{"a":[1]}', 'not-a-certificate'],
    ['when it has three parts of nonsense', () => 'a.b.c', 'not-a-certificate'],
  ])('%s', async (_, text, why) => {
    expect(await verdict(await text())).toEqual({ isValid: false, why })
  })

  it('when it has expired', async () => {
    const claims = { iss: issuer, nbf: 1, exp: 2, vc: {} }
    const text = await new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'ES256', kid: key.kid })
      .sign(key.privateKey)
    expect(await verdict(text)).toEqual({ isValid: false, why: 'expired' })
  })
})

describe('the keys of today', () => {
  const judge = async (text: string, keys: readonly PublicKey[] | undefined, askedAt = now) => {
    let asked = 0
    const fetchKeys = () => {
      asked++
      return Promise.resolve(keys)
    }
    return { ...(await verdictByNewerKeys(text, { trusted, askedAt }, now, fetchKeys)), asked }
  }
  const secondsAway = (seconds: number) => new Date(now.getTime() + seconds * 1_000)

  it.each([
    ['a card', (newer: TestSigningKey) => card({ key: newer })],
    ['an envelope', async (newer: TestSigningKey) => JSON.stringify(await envelope(newer))],
  ])('judge %s with a key that the page does not know, and the next as well', async (_, made) => {
    const newer = await testSigningKey()
    const keys = [key.publicKey, newer.publicKey]
    const found = await judge(await made(newer), keys, secondsAway(-1))
    expect(found).toEqual({
      verdict: expect.objectContaining({ isValid: true }) as unknown,
      known: { trusted: { issuers: [former, issuer], keys }, askedAt: now },
      asked: 1,
    })
  })

  it('do not confirm it where they have it neither', async () => {
    const found = await judge(await card({ key: await testSigningKey() }), [key.publicKey])
    expect(found).toMatchObject({ verdict: { isValid: false, why: 'unknown-key' }, asked: 1 })
  })

  it('are missed where nobody can be asked for them, and that the page may be old is said', async () => {
    const found = await judge(await card({ key: await testSigningKey() }), undefined)
    expect(found).toMatchObject({ verdict: { isValid: false, why: 'unknown-key-or-old-page' }, known: { trusted } })
  })

  it.each([
    ['for a while', -301],
    ['since before the clock was set', 301],
  ])(
    'confirm nothing that a withdrawn key has signed, where the page has not asked for them %s',
    async (_, seconds) => {
      const left = [(await testSigningKey()).publicKey]
      const found = await judge(await card(), left, secondsAway(seconds))
      expect(found).toMatchObject({
        verdict: { isValid: false, why: 'unknown-key' },
        known: { trusted: { keys: left } },
      })
    },
  )

  it('are asked for again only after a while, also where they could not be had', async () => {
    expect(await judge(await card(), undefined, secondsAway(-299))).toMatchObject({
      verdict: { isValid: true },
      asked: 0,
    })
    const found = await judge(await card(), undefined, secondsAway(-301))
    expect(found).toEqual({
      verdict: expect.objectContaining({ isValid: true }) as unknown,
      known: { trusted, askedAt: now },
      asked: 1,
    })
  })

  it('are asked for by nothing that they could not confirm', async () => {
    const elsewhere = await card({ issuer: 'https://elsewhere.example' })
    const found = await judge(elsewhere, undefined, secondsAway(-301))
    expect(found).toMatchObject({ verdict: { why: 'other-issuer' }, asked: 0 })
  })
})

it.each(Object.entries({ en, fr, es, ar, sw }))('has a sentence for every reason in %s', (_, words) => {
  const reasons: Readonly<Record<Doubt, true>> = {
    ...{ 'not-a-certificate': true, 'not-signed': true, 'other-issuer': true, 'unknown-key': true },
    'unknown-key-or-old-page': true,
    ...{ 'bad-signature': true, 'not-yet-valid': true, expired: true },
  }
  expect(Object.keys(words.doubts).sort()).toEqual(Object.keys(reasons).sort())
})
