import { describe, expect, it } from 'vitest'
import { timestampOf, type Part } from '../../../../packages/hl7/index.ts'
import type { At } from '../at.ts'
import { loinc, snomed, termKey } from '../terms.ts'
import { placed } from '../testing/place.ts'
import { cq } from './cq.ts'
import { cwe, cweOf, standardised } from './cwe.ts'
import { cx, cxAs } from './cx.ts'
import { rp } from './ed.ts'
import { ei } from './ei.ts'
import { language } from './language.ts'
import { pl } from './pl.ts'
import { si } from './si.ts'
import { date, dateTime, instant, periodOf } from './ts.ts'
import { xad } from './xad.ts'
import { xcn } from './xcn.ts'
import { xon } from './xon.ts'
import { xpn } from './xpn.ts'
import { xtn, xtnAs } from './xtn.ts'

type Rule = (part: Part | undefined, place: At) => unknown

function read(rule: Rule, raw: string): unknown {
  const { part, place } = placed(raw)
  return rule(part, place)
}

const type = (code: string) => ({ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code }] })
const own = 'https://corridor.example/id/CENTRAL'

describe('CX', () => {
  it.each<[string, Rule, unknown]>([
    ['1^^^H&1.2.3&ISO^MR', cx, { type: type('MR'), system: 'urn:oid:1.2.3', value: '1' }],
    ['1^^^NATID', cx, { system: 'https://national.example/id', value: '1' }],
    ['1^^^WARD 7^PI', cx, { type: type('PI'), system: `${own}/WARD%207`, value: '1' }],
    ['1^^^^MR', cx, { type: type('MR'), system: `${own}/MR`, value: '1' }],
    ['1', cx, { system: `${own}/PID-5`, value: '1' }],
    ['1', cxAs('VN'), { type: type('VN'), system: `${own}/VN`, value: '1' }],
    ['1^^^H&not an oid&ISO', cx, { system: `${own}/H`, value: '1' }],
    [
      '1^^^&F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6&UUID',
      cx,
      { system: 'urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6', value: '1' },
    ],
    [
      '1^^^^^FAC^2020^2021',
      cx,
      { system: `${own}/PID-5`, value: '1', period: { start: '2020', end: '2021' }, assigner: { display: 'FAC' } },
    ],
    ['1^^^^^^2021^2020', cx, { system: `${own}/PID-5`, value: '1' }],
    [' ', cx, undefined],
    ['^^^H', cx, undefined],
    ['', cx, undefined],
  ])('%s', (raw, rule, expected) => expect(read(rule, raw)).toEqual(expected))
})

it.each([
  ['7^LAB^1.2.3^ISO', 'FILL', { type: type('FILL'), system: 'urn:oid:1.2.3', value: '7' }],
  ['7^LAB', 'PLAC', { type: type('PLAC'), system: `${own}/LAB`, value: '7' }],
  ['7', undefined, { system: `${own}/PID-5`, value: '7' }],
])('EI %s', (raw, kind, expected) => expect(read(ei(kind), raw)).toEqual(expected))

it.each([
  ['https://pacs/v?study=1&series=2^^image^dicom', 'https://pacs/v?study=1&series=2'],
  ['https://pacs/v?study=1\\T\\series=2^^image^dicom', 'https://pacs/v?study=1&series=2'],
  ['https://pacs/v?study=1', 'https://pacs/v?study=1'],
])('RP %s', (raw, url) => expect(read(rp, raw)).toMatchObject({ url }))

it('RP of nothing', () =>
  expect(['', '""', '^app^image'].map((raw) => read(rp, raw))).toEqual([undefined, undefined, undefined]))

describe('CWE', () => {
  it.each<[string, Rule, unknown]>([
    ['718-7^Hb^LN', cwe, { coding: [{ system: loinc, code: '718-7', display: 'Hb' }], text: 'Hb' }],
    [
      'M^Married^HL70002',
      cwe,
      {
        coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0002', code: 'M', display: 'Married' }],
        text: 'Married',
      },
    ],
    [
      'M',
      cweOf('0002'),
      { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0002', code: 'M' }], text: 'M' },
    ],
    [
      'X^x^99LAB',
      cwe,
      { coding: [{ system: 'https://corridor.example/codes/CENTRAL/99LAB', code: 'X', display: 'x' }], text: 'x' },
    ],
    [
      'X^x^L',
      cwe,
      { coding: [{ system: 'https://corridor.example/codes/CENTRAL/local', code: 'X', display: 'x' }], text: 'x' },
    ],
    ['^only text', cwe, { text: 'only text' }],
    ['a^b^1.2.3.4.5', cwe, { coding: [{ system: 'urn:oid:1.2.3.4.5', code: 'a', display: 'b' }], text: 'b' }],
    [
      ' a  b ',
      cwe,
      { coding: [{ system: 'https://corridor.example/codes/CENTRAL/local', code: 'a b' }], text: ' a  b ' },
    ],
    ['^^LN', cwe, undefined],
  ])('%s', (raw, rule, expected) => expect(read(rule, raw)).toEqual(expected))

  it('asks for the standard code once, and then puts it in front', () => {
    const { part, place, draft } = placed('I21.0^STEMI^I10')
    const concept = cwe(part, place) ?? {}
    expect(standardised(concept, snomed, place)).toEqual(concept)
    standardised(concept, snomed, place)
    const { needs } = draft.finish(undefined)
    expect(needs).toEqual([
      { target: snomed, system: 'http://hl7.org/fhir/sid/icd-10', code: 'I21.0', display: 'STEMI', path: 'PID-5' },
    ])
    const answer = [{ system: snomed, code: '54329005' }]
    const second = placed('I21.0^STEMI^I10', { terms: new Map(needs.map((need) => [termKey(need), answer])) })
    expect(standardised(concept, snomed, second.place).coding).toEqual([
      { system: snomed, code: '54329005' },
      { system: 'http://hl7.org/fhir/sid/icd-10', code: 'I21.0', display: 'STEMI', userSelected: true },
    ])
  })

  it('marks a code that nobody can translate, and keeps it', () => {
    const key = termKey({ target: snomed, system: 'https://corridor.example/codes/CENTRAL/local', code: 'X' })
    const { part, place, draft } = placed('X^x^L', { terms: new Map([[key, 'unmapped']]) })
    const concept = cwe(part, place) ?? {}
    expect(standardised(concept, snomed, place)).toEqual({
      ...concept,
      extension: [{ url: 'https://corridor.example/StructureDefinition/unmapped-code', valueUri: snomed }],
    })
    expect(draft.warnings).toMatchObject([{ kind: 'unmapped-code', path: 'PID-5' }])
  })

  it('replaces a code that is already standard by its official form', () => {
    const key = termKey({ target: loinc, system: loinc, code: '718-7' })
    const official = { system: loinc, code: '718-7', display: 'Hemoglobin' }
    const { part, place } = placed('718-7^hb^LN^HGB^Hb^L', { terms: new Map([[key, [official]]]) })
    expect(standardised(cwe(part, place) ?? {}, loinc, place).coding).toEqual([
      official,
      { system: 'https://corridor.example/codes/CENTRAL/local', code: 'HGB', display: 'Hb' },
    ])
  })
})

describe('TS', () => {
  it.each<[string, Rule, unknown]>([
    ['2026', dateTime, '2026'],
    ['202603', dateTime, '2026-03'],
    ['20260304', dateTime, '2026-03-04'],
    ['2026030405', dateTime, '2026-03-04T05:00:00+04:00'],
    ['20260304050607.8901', dateTime, '2026-03-04T05:06:07.8901+04:00'],
    ['20260304050607-0330', dateTime, '2026-03-04T05:06:07-03:30'],
    ['20260304050607+1430', dateTime, undefined],
    ['20260304050607', date, '2026-03-04'],
    ['2026', instant, '2026-01-01T00:00:00+04:00'],
    ['202603', instant, '2026-03-01T00:00:00+04:00'],
    ['202603040506+0100', instant, '2026-03-04T05:06:00+01:00'],
    ['0000', dateTime, undefined],
    ['20260230', dateTime, undefined],
  ])('%s', (raw, rule, expected) => expect(read(rule, raw)).toBe(expected))

  it.each([
    ['20260230', 1],
    ['00000000', 0],
    ['', 0],
  ])('%j gives %i warnings', (raw, count) => {
    const { part, place, draft } = placed(raw)
    dateTime(part, place)
    expect(draft.warnings).toHaveLength(count)
  })

  it.each([
    ['202603041000', '20260304', { start: '2026-03-04T10:00:00+04:00', end: '2026-03-04' }],
    ['20260304230000-0500', '20260304', { start: '2026-03-04T23:00:00-05:00', end: '2026-03-04' }],
    ['20260304', '202603040100', { start: '2026-03-04', end: '2026-03-04T01:00:00+04:00' }],
    ['20260304', '2026', { start: '2026-03-04', end: '2026' }],
    ['202603041000', '20260303', undefined],
    ['202603', '2025', undefined],
    ['20260304100001', '20260304100000', undefined],
  ])('from %s to %s is a period as far as both are known, or else a warning', (start, end, expected) => {
    const { place, draft } = placed('')
    expect(periodOf(timestampOf(start), timestampOf(end), place)).toEqual(expected)
    expect(draft.warnings).toHaveLength(expected === undefined ? 1 : 0)
  })
})

it.each([
  [
    'Doe^Jane^Ann Mary^Jr^Dr^PhD^L',
    [{ family: 'Doe', given: ['Jane', 'Ann', 'Mary'], prefix: ['Dr'], suffix: ['Jr', 'PhD'], use: 'official' }],
  ],
  [
    '^Jane^^^^^N^^^^^^^^Janie',
    [
      { given: ['Jane'], use: 'nickname' },
      { use: 'nickname', given: ['Janie'] },
    ],
  ],
  ['Doe^^^^^^A', [{ family: 'Doe' }]],
  [
    'Doe^^^^^^^^^^F',
    [
      {
        family: 'Doe',
        extension: [
          {
            url: 'https://corridor.example/StructureDefinition/name-assembly-order',
            valueCoding: { system: 'http://terminology.hl7.org/CodeSystem/v2-0444', code: 'F' },
          },
        ],
      },
    ],
  ],
  [
    '山田^太郎^^^^^L^I',
    [
      {
        family: '山田',
        given: ['太郎'],
        extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/iso21090-EN-representation', valueCode: 'IDE' }],
        use: 'official',
      },
    ],
  ],
  ['^^^^^^L', undefined],
  ['^^^^^^L^A', undefined],
])('XPN %s', (raw, expected) => expect(read(xpn, raw)).toEqual(expected))

it.each([
  [
    '1 A St&A St&1^Flat 2^Town^ST^123^GBR^H',
    { use: 'home', line: ['1 A St', 'Flat 2'], city: 'Town', state: 'ST', postalCode: '123', country: 'GBR' },
  ],
  ['^^Town^^^^M', { type: 'postal', city: 'Town' }],
  [
    '^^Town^^^^BDL',
    {
      extension: [{ url: 'https://corridor.example/StructureDefinition/address-type', valueCode: 'BDL' }],
      city: 'Town',
    },
  ],
  ['^^^^^^H', undefined],
])('XAD %s', (raw, expected) => expect(read(xad, raw)).toEqual(expected))

it.each<[string, Rule, unknown]>([
  ['(555)1', xtn, { system: 'phone', value: '(555)1' }],
  ['(555)1', xtnAs('home'), { system: 'phone', value: '(555)1', use: 'home' }],
  ['555^PRS^CP', xtnAs('home'), { system: 'phone', value: '555', use: 'mobile' }],
  ['555^WPN^FX', xtn, { system: 'fax', value: '555', use: 'work' }],
  ['^NET^Internet^a@b.example', xtnAs('home'), { system: 'email', value: 'a@b.example' }],
  ['a@b.example', xtn, { system: 'email', value: 'a@b.example' }],
  [
    '^BPN^BP^^^^77',
    xtn,
    {
      extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/contactpoint-local', valueString: '77' }],
      system: 'pager',
      value: '77',
    },
  ],
  ['^PRN^PH', xtn, undefined],
])('XTN %s', (raw, rule, expected) => expect(read(rule, raw)).toEqual(expected))

describe('people and organisations', () => {
  it('XCN with an identifier is a reference to a practitioner who is only ensured', () => {
    const { part, place, draft } = placed('9^House^Greg^^^Dr^^^H&1.2.3&ISO^L^^^EI')
    expect(xcn(part, place)).toMatchObject({ type: 'Practitioner', display: 'Dr Greg House' })
    expect(draft.writes).toMatchObject([
      {
        mode: 'ensure',
        key: { system: 'urn:oid:1.2.3', value: '9' },
        resource: { name: [{ family: 'House', use: 'official' }] },
      },
    ])
  })

  it('XCN.7 is what the practitioner has learned, and XCN.5 a part of the name', () => {
    const { part, place, draft } = placed('9^House^Greg^^III^Dr^MD^^H')
    xcn(part, place)
    expect(draft.writes[0]?.resource).toMatchObject({
      name: [{ family: 'House', suffix: ['III'] }],
      qualification: [
        { code: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0360', code: 'MD' }], text: 'MD' } },
      ],
    })
  })

  it.each<[Rule, string, unknown]>([
    [xcn, '^House^Greg', { type: 'Practitioner', display: 'Greg House' }],
    [xon, 'Clinic', { type: 'Organization', display: 'Clinic' }],
    [xcn, '^^^^^^^^H', undefined],
    [xon, '^L', undefined],
  ])('%o without an identifier is only named', (rule, raw, expected) => {
    const { part, place, draft } = placed(raw)
    expect(rule(part, place)).toEqual(expected)
    expect(draft.writes).toEqual([])
  })
})

describe('PL', () => {
  it('makes each level part of the one above it', () => {
    const { part, place, draft } = placed('ICU^101^B^HOSP^^^Main^3^Intensive^77')
    expect(pl(part, place)).toMatchObject({ display: 'HOSP Main ICU 3 101 B' })
    const codes = draft.writes.map(({ key, resource }) => [
      key.value,
      (resource as { physicalType?: { coding?: { code?: string }[] } }).physicalType?.coding?.[0]?.code,
    ])
    expect(codes).toEqual([
      ['HOSP', 'si'],
      ['HOSP/Main', 'bu'],
      ['HOSP/Main/ICU', 'wa'],
      ['HOSP/Main/ICU/3', 'lvl'],
      ['HOSP/Main/ICU/3/101', 'ro'],
      ['HOSP/Main/ICU/3/101/B', 'bd'],
    ])
  })

  it('tells room 1 of two wards apart', () => {
    const places = ['A^1', 'B^1'].map((raw) => read(pl, raw) as { reference: string })
    expect(places[0]?.reference).not.toBe(places[1]?.reference)
  })

  it.each(['', '^^^', '^ '])('%j is no place', (raw) => expect(read(pl, raw)).toBeUndefined())
})

const bcp47 = (code: string, display: string) => ({ system: 'urn:ietf:bcp:47', code, display })
const local = 'https://corridor.example/codes/CENTRAL/local'

it.each<[string, Rule, unknown]>([
  ['5.0^mg&milligram&UCUM', cq, { value: 5, unit: 'milligram', system: 'http://unitsofmeasure.org', code: 'mg' }],
  ['5^mmHg', cq, { value: 5, unit: 'mmHg', system: 'http://unitsofmeasure.org', code: 'mm[Hg]' }],
  ['5^spoons', cq, { value: 5, unit: 'spoons' }],
  [
    'many^spoons',
    cq,
    {
      extension: [{ url: 'https://corridor.example/StructureDefinition/original-value', valueString: 'many' }],
      unit: 'spoons',
    },
  ],
  ['^spoons', cq, undefined],
  ['""', cq, undefined],
  ['2147483647', si, 2_147_483_647],
  ['2147483648', si, undefined],
  ['en', language, { coding: [{ system: 'urn:ietf:bcp:47', code: 'en' }], text: 'en' }],
  ['EN^English^ISO639', language, { coding: [bcp47('en', 'English')], text: 'English' }],
  ['en^English^L', language, { coding: [{ ...bcp47('en', 'English'), system: local }], text: 'English' }],
  [
    '4711^9^M10^H&1.2.3&ISO',
    cx,
    {
      ...{ system: 'urn:oid:1.2.3', value: '4711' },
      extension: [
        { url: 'http://hl7.org/fhir/StructureDefinition/identifier-checkDigit', valueString: '9' },
        { url: 'http://hl7.org/fhir/StructureDefinition/namingsystem-checkDigit', valueString: 'M10' },
      ],
    },
  ],
  ['EN-gb', language, { coding: [{ system: 'urn:ietf:bcp:47', code: 'en-GB' }], text: 'EN-gb' }],
])('%s', (raw, rule, expected) => {
  expect(JSON.parse(JSON.stringify({ value: read(rule, raw) }))).toEqual(
    JSON.parse(JSON.stringify({ value: expected })),
  )
})
