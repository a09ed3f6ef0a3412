import { createHash } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { Directory, SHCReader } from 'kill-the-clipboard'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadDefinitions } from '../../../packages/fhir/definitions.ts'
import type { Immunization } from '../../../packages/fhir/r4.ts'
import { createValidate, type Validate } from '../../../packages/fhir/validate/validator.ts'
import { isValidDose } from './certified-dose.ts'
import { healthCardBundle } from './health-card-bundle.ts'
import { healthCard, healthCardCodes, healthCardFile, numericText, type HealthCardInput } from './health-card.ts'
import { drawPng } from './qr-png.ts'
import { vouchedFor } from './signable.ts'
import { history } from './testing/histories.ts'
import { readPng } from './testing/read-png.ts'
import { byJsQr, byZxing } from './testing/readers.ts'
import { testSigningKey, type TestSigningKey } from './testing/test-signing-key.ts'

const issuer = 'https://immunization.example.org'
const patient = { name: 'Amina Diallo', family: 'Diallo', given: ['Amina'], birthDate: '2025-03-01' }

let key: TestSigningKey
let otherKey: TestSigningKey
let validate: Validate
/** A published implementation that shares no code with ours; it finds the key by issuer and kid. */
let reader: SHCReader

beforeAll(async () => {
  ;[key, otherKey] = await Promise.all([testSigningKey(), testSigningKey()])
  validate = createValidate(await loadDefinitions())
  const issuerDirectory = Directory.fromJSON({ issuerInfo: [{ issuer: { iss: issuer }, keys: [key.publicKey] }] })
  reader = new SHCReader({ issuerDirectory })
})

const input = (doses: number, more: Partial<HealthCardInput> = {}): HealthCardInput => ({
  patient,
  immunizations: history(doses),
  issuer,
  issuedAt: new Date('2026-03-04T05:06:07.890Z'),
  // Sixty doses take a year and a half.
  today: '2026-12-31',
  key,
  ...more,
})

describe('an independent reader', () => {
  it('verifies the card and reads every dose', async () => {
    const read = await reader.fromJWS(await healthCard(input(9)))
    expect(await read.asBundle({ optimizeForQR: false })).toEqual(
      healthCardBundle(patient, history(9).filter(isValidDose)),
    )
  })

  it('verifies the file', async () => {
    const read = await reader.fromFileContent(healthCardFile([await healthCard(input(30))]))
    expect((await read.asBundle()).entry).toHaveLength(31)
  })

  it.each([1, 2, 5, 12, 24, 48, 60])('verifies the codes of %i doses, each read by two readers', async (doses) => {
    const codes = await healthCardCodes(input(doses))
    let read = 0
    for (const { text, matrix, number, of } of codes) {
      const png = drawPng(matrix, matrix.length * 3)
      expect([byJsQr(readPng(png)), (await byZxing(png))?.text]).toEqual([text, text])
      expect([number, of]).toEqual([codes.findIndex((code) => code.text === text) + 1, codes.length])
      // Version 22 is 105 modules, and there is one of margin on each side.
      expect(matrix.length).toBeLessThanOrEqual(107)
      const card = await reader.fromQRNumeric(text)
      read += ((await card.asBundle()).entry?.length ?? 0) - 1
    }
    expect(read).toBe(doses)
  })

  it('has no code where the name alone fits none, and does not try it with every dose', async () => {
    let looks = 0
    const book = Array.from({ length: 100 }, (_, at) => createHash('sha256').update(`${at}`).digest('hex')).join('')
    const named = {
      ...patient,
      get family() {
        looks++
        return book
      },
    }
    expect(await healthCardCodes(input(60, { patient: named }))).toEqual([])
    expect(looks).toBeLessThan(5)
  })

  it('is given only doses that are certain', async () => {
    const notDone = history(3).map((dose) => ({ ...dose, status: 'not-done' }))
    const [code] = await healthCardCodes(input(2, { immunizations: [...history(2), ...notDone] }))
    expect(code?.doses).toBe(2)
  })

  it('refuses a card that was changed, and one of another key', async () => {
    const strict = new SHCReader({ publicKey: key.publicKey })
    const [header, , signature] = (await healthCard(input(1))).split('.')
    const [, otherPayload] = (await healthCard(input(2))).split('.')
    const changed = [header, otherPayload, signature].join('.')
    await expect(strict.fromJWS(changed)).rejects.toThrow('Invalid JWS signature')
    const forged = await healthCard(input(1, { key: { ...otherKey, kid: key.kid } }))
    await expect(strict.fromJWS(forged)).rejects.toThrow('Invalid JWS signature')
  })
})

describe('the credential', () => {
  it('has the header, issuer, time and types of the standard', async () => {
    const card = await healthCard(input(1, { issuer: `${issuer}/` }))
    const [header = '', payload = ''] = card.split('.')
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ zip: 'DEF', alg: 'ES256', kid: key.kid })
    expect(JSON.parse(inflateRawSync(Buffer.from(payload, 'base64url')).toString())).toMatchObject({
      iss: issuer,
      nbf: 1772600767,
      vc: {
        type: ['https://smarthealth.cards#health-card', 'https://smarthealth.cards#immunization'],
        credentialSubject: { fhirVersion: '4.0.1' },
      },
    })
  })

  it('is a minimal FHIR bundle, oldest dose first, of what was given', () => {
    const doses = history(2).map((dose, at) => (at === 1 ? { ...dose, vaccineSystem: null } : dose))
    const notDone = history(1).map((dose) => ({ ...dose, status: 'not-done' }))
    const bundle = healthCardBundle(patient, vouchedFor([...doses, ...notDone], input(0)))
    expect(validate(bundle)).toEqual([])
    expect(bundle.entry).toEqual([
      {
        fullUrl: 'resource:0',
        resource: { resourceType: 'Patient', name: [{ family: 'Diallo', given: ['Amina'] }], birthDate: '2025-03-01' },
      },
      {
        fullUrl: 'resource:1',
        resource: {
          resourceType: 'Immunization',
          status: 'completed',
          vaccineCode: { text: 'BCG' },
          patient: { reference: 'resource:0' },
          occurrenceDateTime: '2025-03-01',
          performer: [{ actor: { display: 'Riverside Health Centre' } }],
          lotNumber: 'L1000',
        },
      },
      {
        fullUrl: 'resource:2',
        resource: expect.objectContaining({
          vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '08' }] },
        }),
      },
    ])
  })

  it('is written as two digits a letter', () => {
    expect(numericText('eyJ.-_')).toBe('shc:/567629010050')
  })
})

describe('what is signed', () => {
  const [first, second] = history(2)

  it('is as exact as it is known, oldest first', () => {
    const older = { ...patient, birthDate: '2021-03-15' }
    const doses = [
      ...(first === undefined
        ? []
        : [{ ...first, occurrenceDate: '2022-01-01', occurrencePrecision: 'year' as const }]),
      ...(second === undefined
        ? []
        : [{ ...second, occurrenceDate: '2021-03-01', occurrencePrecision: 'month' as const }]),
    ]
    const bundle = healthCardBundle(older, vouchedFor(doses, input(0, { patient: older })))
    const days = bundle.entry?.map(({ resource }) => (resource as Immunization).occurrenceDateTime)
    expect(days).toEqual([undefined, '2021-03', '2022'])
    expect(validate(bundle).filter(({ severity }) => severity !== 'warning')).toEqual([])
  })

  it('is nothing that the patient only remembers', async () => {
    const [remembered, ...others] = history(3)
    const immunizations = [...(remembered === undefined ? [] : [{ ...remembered, patientReported: true }]), ...others]
    expect(vouchedFor(immunizations, input(0))).toEqual(others)
    expect((await healthCardCodes(input(0, { immunizations }))).map(({ doses }) => doses)).toEqual([2])
    const onlyRemembered = history(2).map((dose) => ({ ...dose, patientReported: true }))
    await expect(healthCard(input(0, { immunizations: onlyRemembered }))).rejects.toMatchObject({
      ...{ kind: 'unprocessable', code: 'nothing_to_certify' },
    })
  })

  it.each(['provider', 'record', 'school', 'jurisdiction'] as const)(
    'is what is second-hand and written down: %s',
    async (documentedBy) => {
      const immunizations = history(2).map((dose) => ({ ...dose, patientReported: true, documentedBy }))
      expect(vouchedFor(immunizations, input(0))).toEqual(immunizations)
      expect((await healthCardCodes(input(0, { immunizations }))).map(({ doses }) => doses)).toEqual([2])
    },
  )

  it.each([
    ['was too weak to protect', { isSubpotent: true }],
    ['says what nobody here understands', { isQualified: true }],
    ['is dated tomorrow', { occurrenceDate: '2027-01-01' }],
    ['is dated in a month to come', { occurrenceDate: '2027-01-01', occurrencePrecision: 'month' as const }],
    ['is dated before the birth', { occurrenceDate: '2025-02-28' }],
    ['is dated in a year before the birth', { occurrenceDate: '2024-01-01', occurrencePrecision: 'year' as const }],
  ])('is nothing that %s', async (_what, changes) => {
    const [doubtful, ...others] = history(3)
    const immunizations = [...(doubtful === undefined ? [] : [{ ...doubtful, ...changes }]), ...others]
    expect((await healthCardCodes(input(0, { immunizations }))).map(({ doses }) => doses)).toEqual([2])
    await expect(healthCard(input(0, { immunizations: immunizations.slice(0, 1) }))).rejects.toMatchObject({
      ...{ kind: 'unprocessable', code: 'nothing_to_certify' },
    })
  })

  it('is what was given today, on the day of birth, or in that year', async () => {
    const [dose] = history(1)
    const at = (occurrenceDate: string, occurrencePrecision: 'day' | 'year') =>
      dose === undefined ? [] : [{ ...dose, occurrenceDate, occurrencePrecision }]
    const immunizations = [...at('2026-12-31', 'day'), ...at('2025-03-01', 'day'), ...at('2025-01-01', 'year')]
    expect((await healthCardCodes(input(0, { immunizations }))).map(({ doses }) => doses)).toEqual([3])
  })

  it.each([
    [{ name: null, family: null, given: [] }, 'the record has no name of the patient.'],
    [{ birthDate: null }, 'the record has no full birth date of the patient.'],
    [{ name: null, family: null, birthDate: null }, 'the record has no name and no full birth date of the patient.'],
  ])('is about somebody: not with %j', async (changes, why) => {
    await expect(healthCard(input(1, { patient: { ...patient, ...changes } }))).rejects.toMatchObject({
      ...{ kind: 'unprocessable', code: 'patient_not_identified', message: `Nothing can be signed: ${why}` },
    })
  })
})
