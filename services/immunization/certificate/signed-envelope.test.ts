import { verify, X509Certificate } from 'node:crypto'
import { importX509 } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { atcSystem, cvxSystem } from '../forecast/vaccine-codes.ts'
import { canonicalJson } from './canonical-json.ts'
import { icaoName } from './icao-name.ts'
import { signedEnvelope, type EnvelopeInput, type SignedEnvelope } from './signed-envelope.ts'
import { history } from './testing/histories.ts'
import { testSigningKey, type TestSigningKey } from './testing/test-signing-key.ts'

let key: TestSigningKey
beforeAll(async () => {
  key = await testSigningKey()
})

const input = (doses: number): EnvelopeInput => ({
  patient: { name: 'Amina Diallo', family: 'Diallo', given: ['Amina'], birthDate: '2025-03-01', sex: 'female' },
  immunizations: history(doses),
  today: '2026-03-04',
  uvci: 'URN:UVCI:01:CORR:0123456789ABCDEF',
  country: 'UTO',
  key,
})

const certificateOf = ({ sig }: SignedEnvelope) => new X509Certificate(Buffer.from(sig.cer, 'base64url'))

describe('the signed envelope', () => {
  it('is verified by OpenSSL with the certificate that it carries', async () => {
    const envelope = await signedEnvelope(input(3))
    const certificate = certificateOf(envelope)
    // The canonical form, written out here once more by hand for this shape: members sorted at every level.
    const { hdr, msg } = envelope.data
    const sorted = JSON.stringify({
      hdr: { is: hdr.is, t: hdr.t, v: hdr.v },
      msg: {
        pid: { dob: msg.pid.dob, n: msg.pid.n, sex: msg.pid.sex },
        uvci: msg.uvci,
        ve: msg.ve.map(({ des, nam, vd }) => ({
          des,
          nam,
          vd: vd.map(({ adm, ctr, dvc, lot, seq }) => ({ adm, ctr, dvc, lot, seq })),
        })),
      },
    })
    const check = (text: string) =>
      verify(
        'sha256',
        Buffer.from(text),
        { key: certificate.publicKey, dsaEncoding: 'ieee-p1363' },
        Buffer.from(envelope.sig.sigvl, 'base64url'),
      )
    expect([check(sorted), check(sorted.replace('AMINA', 'AMINE'))]).toEqual([true, false])
  })

  it('carries a certificate of the published key, good for ten years and for signing only', async () => {
    const certificate = certificateOf(await signedEnvelope(input(1)))
    expect(certificate.publicKey.export({ format: 'jwk' })).toEqual({
      kty: 'EC',
      crv: 'P-256',
      x: key.publicKey.x,
      y: key.publicKey.y,
    })
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.subject).toBe('CN=CORRIDOR')
    expect([certificate.validFromDate, certificate.validToDate]).toEqual([
      new Date('2026-01-01T00:00:00Z'),
      new Date('2036-01-01T00:00:00Z'),
    ])
    expect(certificate.ca).toBe(false)
  })

  it('is verified with the key that jose reads from the certificate', async () => {
    const envelope = await signedEnvelope(input(1))
    const publicKey = await importX509(certificateOf(envelope).toString(), 'ES256')
    const signature = Buffer.from(envelope.sig.sigvl, 'base64url')
    const check = (text: string) =>
      crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, publicKey, signature, Buffer.from(text))
    const signed = canonicalJson(envelope.data)
    expect([await check(signed), await check(signed.replace('2025', '2024'))]).toEqual([true, false])
  })

  it('says what ICAO asks for', async () => {
    const { data } = await signedEnvelope({
      ...input(1),
      immunizations: history(1).map((dose) => ({ ...dose, vaccineCode: '208', vaccineName: 'COVID-19, mRNA' })),
    })
    expect(data).toEqual({
      hdr: { t: 'icao.vacc', v: 1, is: 'UTO' },
      msg: {
        uvci: 'URN:UVCI:01:CORR:0123456789ABCDEF',
        pid: { n: 'DIALLO<<AMINA', dob: '2025-03-01', sex: 'F' },
        ve: [
          {
            des: '208',
            nam: 'COVID-19, mRNA',
            dis: 'RA01',
            vd: [{ dvc: '2025-03-01', seq: 1, ctr: 'UTO', lot: 'L1000', adm: 'Riverside Health Centre' }],
          },
        ],
      },
    })
  })

  it('leaves out what is only remembered and what has no day, and counts it all the same', async () => {
    const [newest, middle, oldest] = history(17).filter(({ vaccineCode }) => vaccineCode === '19')
    const immunizations = [
      ...(newest === undefined ? [] : [{ ...newest, doseNumber: null }]),
      ...(middle === undefined ? [] : [{ ...middle, doseNumber: null, patientReported: true }]),
      ...(oldest === undefined ? [] : [{ ...oldest, doseNumber: null, occurrencePrecision: 'month' as const }]),
    ]
    const { data } = await signedEnvelope({ ...input(0), immunizations })
    expect(data.msg.ve.map(({ vd }) => vd)).toEqual([
      [expect.objectContaining({ dvc: newest?.occurrenceDate, seq: 3 })],
    ])
    await expect(signedEnvelope({ ...input(0), immunizations: immunizations.slice(1) })).rejects.toMatchObject({
      code: 'nothing_to_certify',
    })
  })

  it('leaves out what was too weak and what is dated before the birth or tomorrow, and does not count it', async () => {
    const [dose] = history(1)
    const at = (occurrenceDate: string, more = {}) =>
      dose === undefined ? [] : [{ ...dose, doseNumber: null, occurrenceDate, ...more }]
    const immunizations = [
      ...at('2026-03-05'),
      ...at('2026-03-04'),
      ...at('2025-06-01', { isSubpotent: true }),
      ...at('2025-03-01'),
      ...at('2025-02-28'),
    ]
    const { data } = await signedEnvelope({ ...input(0), immunizations })
    expect(data.msg.ve.flatMap(({ vd }) => vd.map(({ dvc, seq }) => [dvc, seq]))).toEqual([
      ['2026-03-04', 2],
      ['2025-03-01', 1],
    ])
  })

  it.each([
    { name: null, family: null, given: [] },
    { birthDate: null },
    // No letters at all.
    { name: '–', family: '–', given: [] },
  ])('is about somebody: not with %j', async (changes) => {
    const { patient } = input(1)
    await expect(signedEnvelope({ ...input(1), patient: { ...patient, ...changes } })).rejects.toMatchObject({
      ...{ kind: 'unprocessable', code: 'patient_not_identified' },
    })
  })

  it.each([
    ['王', ['Amina'], '王'],
    ['Rahman', ['মোহাম্মদ'], 'ম'],
    ['Diallo', ['Ɗan'], 'Ɗ'],
    ['Χρήστου', [], 'Χ'],
  ])('bears the whole name or none: not %s %j', async (family, given, letter) => {
    const patient = { ...input(1).patient, family, given }
    await expect(signedEnvelope({ ...input(1), patient })).rejects.toMatchObject({
      ...{ kind: 'unprocessable', code: 'patient_not_identified' },
      message: `Nothing can be signed: the name of the patient has the letter ${letter}, which cannot be written in Latin letters.`,
    })
  })

  it('names COVID-19 as the disease of no other vaccine', async () => {
    const { data } = await signedEnvelope(input(8))
    expect(data.msg.ve.filter(({ dis }) => dis !== undefined)).toEqual([])
  })

  it('keeps one code of two systems apart, and knows the disease only where the system says it', async () => {
    const national = { vaccineSystem: 'http://health.example/vaccines', vaccineName: 'Measles' }
    const others = [
      { vaccineCode: '213', vaccineSystem: cvxSystem, vaccineName: 'COVID-19' },
      { vaccineCode: 'J07BN01', vaccineSystem: atcSystem, vaccineName: 'COVID-19, mRNA' },
    ]
    const immunizations = [{ vaccineCode: '213', ...national }, ...others].flatMap((vaccine) =>
      history(1).map((dose) => ({ ...dose, doseNumber: null, ...vaccine })),
    )
    const { data } = await signedEnvelope({ ...input(0), immunizations })
    expect(data.msg.ve.map(({ des, nam, dis, vd }) => [des, nam, dis, vd.map(({ seq }) => seq)])).toEqual([
      ['213', 'Measles', undefined, [1]],
      ['213', 'COVID-19', 'RA01', [1]],
      ['J07BN01', 'COVID-19, mRNA', 'RA01', [1]],
    ])
  })
})

it.each([
  [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
  [{ é: 1, z: 2, '€': 3, '\u{1f600}': 4, ﬀ: 5 }, '{"z":2,"é":1,"€":3,"😀":4,"ﬀ":5}'],
  [{ n: 1e21, m: 0.1, o: -0 }, '{"m":0.1,"n":1e+21,"o":0}'],
  ['a"\u0001\n', '"a\\"\\u0001\\n"'],
])('writes %j in its canonical form', (value, text) => {
  expect(canonicalJson(value)).toBe(text)
})

describe('a name in the form of Doc 9303', () => {
  it.each([
    [{ family: 'Eriksson', given: ['Anna', 'Maria'] }, 'ERIKSSON<<ANNA<MARIA'],
    [{ family: "O'Connor", given: ['Enya', 'Siobhan'] }, 'OCONNOR<<ENYA<SIOBHAN'],
    [{ family: 'Smith-Jones', given: ['Susie', 'Margaret'] }, 'SMITH<JONES<<SUSIE<MARGARET'],
    [{ family: 'Müller', given: ['Jörg'] }, 'MUELLER<<JOERG'],
    [{ family: 'Ångström', given: ['Zoë', 'Ñ'] }, 'AANGSTROEM<<ZOE<N'],
    [{ family: 'Straße', given: [] }, 'STRASSE'],
    [{ family: 'Łukasiewicz', given: ['Đorđe'] }, 'LUKASIEWICZ<<DORDE'],
    [{ family: 'Щербаков', given: ['Юрий'] }, 'SHCHERBAKOV<<IURII'],
    [{ family: 'Шевченко', given: ['Олексій'] }, 'SHEVCHENKO<<OLEKSII'],
    [{ family: 'Київський', given: ['Євген', 'Ґорґій'] }, 'KIIVSKII<<IEVGEN<GORGII'],
    [{ family: 'Ђоковић', given: ['Љубица', 'Њ', 'Џ', 'Ј'] }, 'DOKOVIC<<LJUBITSA<NJ<DZ<J'],
    [{ family: 'Ива\u0301нов', given: ['А'] }, 'IVANOV<<A'],
    [{ family: 'Ade\u0301ba\u0301yọ\u0300', given: ['Ọlá'] }, 'ADEBAYO<<OLA'],
    [{ family: 'N‘Diaye', given: ['Mª', 'N´A'] }, 'NDIAYE<<MA<NA'],
    [{ family: 'علي', given: ['أمينة'] }, 'ELY<<XAEMYNXAH'],
    [{ family: 'علي', given: ['أمينةٌ'] }, 'ELY<<XAEMYNXAH'],
    [{ family: 'رضایی', given: ['علی'] }, 'RXDZAXYAXYA<<ELXYA'],
    [{ family: 'گل', given: ['پرویز', 'علی\u200cرضا'] }, 'XGGL<<PRWXYAZ<ELXYARXDZA'],
    [{ family: 'ﻋﻠﻲ', given: [] }, 'ELY'],
    [{ family: 'Papandropoulous', given: ['Jonathon', 'Alec', 'Stephanos'] }, 'PAPANDROPOULOUS<<JONATHON<ALEC<S'],
    [
      { family: 'Nilavadhanananda', given: ['Chayapa', 'Dejthamrong', 'Krasuang'] },
      'NILAVADHANANANDA<<CHAYAPA<DEJTHAMRONG<K',
    ],
    [
      { family: 'Bennelong Wooloomooloo Warrandyte Warnambool', given: ['Dingo', 'Potoroo'] },
      'BENNELONG<WOOLOOMOOLOO<WARRANDYTE<W<<DI',
    ],
    [
      { family: 'dos Santos Oliveira de Albuquerque Cavalcanti', given: ['Maria'] },
      'DOS<SANTOS<OLIVEIRA<DE<ALBUQUERQUE<C<<M',
    ],
    [
      { family: 'dos Santos Oliveira de Albuquerque Cavalcanti', given: ['João'] },
      'DOS<SANTOS<OLIVEIRA<DE<ALBUQUERQUE<C<<J',
    ],
    [{ family: 'A'.repeat(34), given: ['Bea', 'Cleo'] }, `${'A'.repeat(34)}<<BEA`],
    [{ family: 'A'.repeat(50), given: ['Bea', 'Cleo'] }, `${'A'.repeat(36)}<<B`],
    [{ family: `${'A'.repeat(35)} Bell`, given: ['Cleo'] }, `${'A'.repeat(35)}<<CL`],
    [{ family: 'A'.repeat(50), given: [] }, 'A'.repeat(39)],
  ])('%j is %s', (name, mrz) => {
    expect(icaoName({ name: null, birthDate: null, ...name })).toBe(mrz)
  })

  it.each([
    ['given', { family: 'Diallo', given: ['Amina '.repeat(20_000)] }, `DIALLO<<AMINA${'<A'.repeat(13)}`],
    ['given, one by one', { family: 'Diallo', given: Array<string>(20_000).fill('A') }, `DIALLO<<A${'<A'.repeat(15)}`],
    ['family', { family: 'Diallo '.repeat(20_000), given: ['Amina'] }, `DIALLO${'<D'.repeat(15)}<<A`],
  ])('of a book in the place of the %s name is what its beginning is', (_, name, mrz) => {
    expect(icaoName({ name: null, birthDate: null, ...name })).toBe(mrz)
  })

  it.each([
    ['Kumar, Priya', 'KUMAR<<PRIYA'],
    ['Priya Kumar', 'PRIYA<KUMAR'],
    ['', ''],
  ])('of a text "%s" is %s', (name, mrz) => {
    expect(icaoName({ name, birthDate: null })).toBe(mrz)
  })
})
