import { describe, expect, it } from 'vitest'
import { parseMessage } from '../parse.ts'
import { readCwe, textOfCoded } from './coded.ts'
import { readXad, readXtn } from './contact.ts'
import { authorityUri, readCx, readEi, readEip, readHd } from './identifiers.ts'
import { readCnn, readXcn, readXon, readXpn } from './names.ts'
import { readCq, readNm, readNr, readSi, readSn } from './numbers.ts'
import { readNdl, readPl } from './place.ts'
import { readRange, readTime, readTimestamp, timestampOf } from './time.ts'
import { fhirDateTime, makeZone } from './zone.ts'

const part = (raw: string) => parseMessage(`MSH|^~\\&|A\rZZZ|${raw}\r`).part('ZZZ-1')

describe('points in time', () => {
  it.each([
    ['2026', 'year', '2026'],
    ['202603', 'month', '2026-03'],
    ['20260304', 'day', '2026-03-04'],
    ['2026030405', 'hour', '2026-03-04T05:00:00+01:00'],
    ['202603040506', 'minute', '2026-03-04T05:06:00+01:00'],
    ['20260304050607', 'second', '2026-03-04T05:06:07+01:00'],
    ['20260304050607.8', 'fraction', '2026-03-04T05:06:07.8+01:00'],
    ['20260304050607.8901-0500', 'fraction', '2026-03-04T05:06:07.8901-05:00'],
    ['202603040506+0530', 'minute', '2026-03-04T05:06:00+05:30'],
    ['20260304050607Z', 'second', '2026-03-04T05:06:07Z'],
    ['20260701120000', 'second', '2026-07-01T12:00:00+02:00'],
    ['20240229', 'day', '2024-02-29'],
    ['20260304+0100', 'day', '2026-03-04'],
  ])('%s has precision %s and is %s in Vienna', (raw, precision, fhir) => {
    const read = readTimestamp(part(raw))
    expect(read?.precision).toBe(precision)
    expect(read && fhirDateTime(read, makeZone('Europe/Vienna'))).toBe(fhir)
  })

  it.each([
    '',
    '""',
    '0000',
    '00000000',
    '20261301',
    '20260230',
    '2026030425',
    '202603040560',
    'today',
    '20260',
    '2026-03-04',
  ])('%j is none', (raw) => {
    expect(readTimestamp(part(raw))).toBeUndefined()
  })

  it('loses its time where nobody knows the zone, because FHIR has no time without one', () => {
    const read = timestampOf('20260304050607')
    expect(read && fhirDateTime(read)).toBe('2026-03-04')
  })

  it.each([
    ['Europe/Vienna', '2026-03-29', '01:59:59', '+01:00'],
    ['Europe/Vienna', '2026-03-29', '03:00:00', '+02:00'],
    ['Europe/Vienna', '2026-10-25', '03:00:00', '+01:00'],
    ['America/St_Johns', '2026-01-01', '00:00:00', '-03:30'],
    ['Asia/Kathmandu', '2026-01-01', '00:00:00', '+05:45'],
    ['UTC', '2026-01-01', '00:00:00', '+00:00'],
    ['-08:00', '2026-07-01', '00:00:00', '-08:00'],
  ])('%s on %s at %s is %s', (zone, date, time, offset) => {
    expect(makeZone(zone).offsetAt(date, time)).toBe(offset)
  })

  it.each(['Middle/Earth', '+99:99', '+03:60', '-14:30', '+18:00', '+3'])(
    'needs a zone that exists, not %s',
    (name) => {
      expect(() => makeZone(name)).toThrow(/is not a time zone/)
    },
  )

  it('reads times of day and ranges', () => {
    expect(['05', '0506', '05:06:07', '050607.89', '25', 'noon'].map((raw) => readTime(part(raw)))).toEqual([
      '05:00:00',
      '05:06:00',
      '05:06:07',
      '05:06:07.89',
      undefined,
      undefined,
    ])
    expect(readRange(part('2026^2027'))).toEqual({
      start: { precision: 'year', date: '2026' },
      end: { precision: 'year', date: '2027' },
    })
    expect(readRange(part('^2027'))).toEqual({ end: { precision: 'year', date: '2027' } })
    expect(readRange(part('^'))).toBeUndefined()
  })
})

describe('identifiers', () => {
  it('CX has its authority in sub-components', () => {
    expect(readCx(part('123^4^M10^HOSP&1.2.3&ISO^MR^FAC&9.9&ISO^2020^2030'))).toEqual({
      value: '123',
      checkDigit: '4',
      checkDigitScheme: 'M10',
      authority: { namespace: 'HOSP', universalId: '1.2.3', universalIdType: 'ISO' },
      type: 'MR',
      facility: { namespace: 'FAC', universalId: '9.9', universalIdType: 'ISO' },
      effective: { precision: 'year', date: '2020' },
      expires: { precision: 'year', date: '2030' },
    })
  })

  it.each(['', '^', '""', '^^^&&', '""^""'])('%j is no identifier', (raw) => {
    expect(readCx(part(raw))).toBeUndefined()
  })

  it('EI and EIP have theirs in components and in sub-components', () => {
    const whole = { value: '1', namespace: 'N', universalId: '1.2', universalIdType: 'ISO' }
    expect(readEi(part('1^N^1.2^ISO'))).toEqual(whole)
    expect(readEip(part('1&N&1.2&ISO^2'))).toEqual({ placer: whole, filler: { value: '2' } })
  })

  it.each([
    ['N^1.2.3^ISO', 'urn:oid:1.2.3'],
    ['N^1.2.3', 'urn:oid:1.2.3'],
    ['^F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6^UUID', 'urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6'],
    ['^lab.example.org^DNS', 'urn:dns:lab.example.org'],
    ['^https://example.org/ids^URI', 'https://example.org/ids'],
    ['^https://example.org/ids', 'https://example.org/ids'],
    ['N', undefined],
    ['^what^L', undefined],
  ])('the authority %s is %s', (raw, uri) => {
    expect(authorityUri(readHd(part(raw)))).toBe(uri)
  })
})

describe('people and places', () => {
  it('XPN splits further given names and knows both names of a married person', () => {
    expect(readXpn(part('van Berg&van&Berg&de&Vries^Anna^Maria Luise^Jr^Dr^MD^L^A^^2001&2002^G^^^PhD^Annie'))).toEqual({
      family: 'van Berg',
      ownPrefix: 'van',
      ownName: 'Berg',
      partnerPrefix: 'de',
      partnerName: 'Vries',
      given: ['Anna', 'Maria', 'Luise'],
      suffix: 'Jr',
      prefix: 'Dr',
      degree: 'MD',
      type: 'L',
      representation: 'A',
      assemblyOrder: 'G',
      professionalSuffix: 'PhD',
      calledBy: 'Annie',
      start: { precision: 'year', date: '2001' },
      end: { precision: 'year', date: '2002' },
    })
    expect(readXpn(part('^^^^^^'))).toBeUndefined()
  })

  it('XCN and CNN are a person with an identifier', () => {
    expect(readXcn(part('007^Bond^James^^^Cdr^^^MI6&1.2&ISO^L^^^EI'))).toEqual({
      id: '007',
      authority: { namespace: 'MI6', universalId: '1.2', universalIdType: 'ISO' },
      idType: 'EI',
      name: { family: 'Bond', given: ['James'], prefix: 'Cdr', type: 'L' },
    })
    expect(readXcn(part('007^^^^^^^^^L'))).toEqual({ id: '007' })
    expect(readCnn(part('007^Bond^James^^^^^^MI6'))).toEqual({
      id: '007',
      authority: { namespace: 'MI6' },
      name: { family: 'Bond', given: ['James'] },
    })
  })

  it('XON takes the newer identifier', () => {
    expect(readXon(part('Clinic^L^1^^^A^XX^^^2'))).toEqual({
      name: 'Clinic',
      nameType: 'L',
      id: '2',
      authority: { namespace: 'A' },
      idType: 'XX',
    })
  })

  it('XAD gathers the lines', () => {
    expect(readXad(part('1 High St&High St&1^Flat 2^Oxford^OXON^OX1^GBR^H^^Oxon^T1'))).toEqual({
      lines: ['1 High St', 'Flat 2'],
      streetName: 'High St',
      houseNumber: '1',
      city: 'Oxford',
      state: 'OXON',
      postalCode: 'OX1',
      country: 'GBR',
      type: 'H',
      district: 'Oxon',
      censusTract: 'T1',
    })
  })

  it.each([
    ['(555)555-2004', '(555)555-2004'],
    ['^PRN^PH^^1^555^5552004^12', '+1 555 5552004 x12'],
    ['^PRN^PH^^+43^1^123', '+43 1 123'],
    ['old^PRN^PH^^1^555^5552004^^^^^+15555552004', '+15555552004'],
    ['^NET^Internet^a@example.org', 'a@example.org'],
    ['^PRN', undefined],
  ])('XTN %s is %s', (raw, value) => {
    expect(readXtn(part(raw))?.value).toBe(value)
  })

  it('PL and NDL tell the place from the facility to the bed', () => {
    expect(readPl(part('ICU^101^B^HOSP&1.2&ISO^O^N^Main^3^Intensive^77'))).toEqual({
      pointOfCare: 'ICU',
      room: '101',
      bed: 'B',
      facility: { namespace: 'HOSP', universalId: '1.2', universalIdType: 'ISO' },
      status: 'O',
      type: 'N',
      building: 'Main',
      floor: '3',
      description: 'Intensive',
      identifier: { value: '77' },
    })
    expect(readNdl(part('9&House&Greg^2026^^ICU^1'))).toEqual({
      person: { id: '9', name: { family: 'House', given: ['Greg'] } },
      start: { precision: 'year', date: '2026' },
      location: { pointOfCare: 'ICU', room: '1' },
    })
  })
})

describe('codes and numbers', () => {
  it('CWE has up to three codes and a text', () => {
    const coded = readCwe(part('718-7^Hb^LN^HGB^Haemoglobin^L^2.7^1^the words^x^y^99Z^3'))
    expect(coded).toEqual({
      codes: [
        { code: '718-7', display: 'Hb', system: 'LN', version: '2.7' },
        { code: 'HGB', display: 'Haemoglobin', system: 'L', version: '1' },
        { code: 'x', display: 'y', system: '99Z', version: '3' },
      ],
      originalText: 'the words',
    })
    expect(textOfCoded(coded)).toBe('the words')
    expect(textOfCoded(readCwe(part('^^^HGB^Haemoglobin')))).toBe('Haemoglobin')
    expect(textOfCoded(readCwe(part('HGB')))).toBe('HGB')
    expect(readCwe(part('^^LN'))).toBeUndefined()
  })

  it.each([
    ['NAK^Sodium & potassium^L', { code: 'NAK', display: 'Sodium & potassium', system: 'L' }],
    ['NAK^Sodium \\T\\ potassium^L', { code: 'NAK', display: 'Sodium & potassium', system: 'L' }],
    ['H&P^History^L', { code: 'H&P', display: 'History', system: 'L' }],
    ['93000&IMP^^CPT4', { code: '93000&IMP', system: 'CPT4' }],
    ['H&P', { code: 'H&P' }],
    ['&GDT^Diagnosis', { code: '&GDT', display: 'Diagnosis' }],
    ['718-7&Hb&LN', { code: '718-7', display: 'Hb', system: 'LN' }],
    ['Fever & cough & rash', { code: 'Fever & cough & rash' }],
    ['718-7&Hb&LN^^^', { code: '718-7', display: 'Hb', system: 'LN' }],
    ['A&&^a&^L&1.2.3&ISO', { code: 'A', display: 'a', system: 'L' }],
  ])('CWE has no sub-components: %s', (raw, code) => {
    expect(readCwe(part(raw))?.codes).toEqual([code])
  })

  it('CWE of separators alone is none', () => {
    expect(readCwe(part('&&'))).toBeUndefined()
    expect(readCwe(part('""'))).toBeUndefined()
    expect(readCwe(part('A^^L^^^^^^salt & water'))?.originalText).toBe('salt & water')
  })

  it.each([
    ['13.50', '13.50'],
    ['+5', '5'],
    ['-0.10', '-0.10'],
    ['007', '7'],
    ['.5', '0.5'],
    ['5.', '5'],
    [' 3 ', '3'],
    ['12345678901234567890.1', '12345678901234567890.1'],
    ['1e5', undefined],
    ['>5', undefined],
    ['-', undefined],
    ['.', undefined],
    ['n/a', undefined],
  ])('NM %j is %j', (raw, value) => {
    expect(readNm(part(raw))).toBe(value)
  })

  it('SN, CQ, NR and SI', () => {
    expect(readSn(part('>^100'))).toEqual({ comparator: '>', first: '100' })
    expect(['≥^100', '=>^100', '≤^1', '=<^1', '~^1'].map((raw) => readSn(part(raw))?.comparator)).toEqual([
      ...['>=', '>=', '<=', '<=', undefined],
    ])
    expect(readSn(part('^1^:^128'))).toEqual({ first: '1', separator: ':', second: '128' })
    expect(readSn(part('^10^-^20'))).toEqual({ first: '10', separator: '-', second: '20' })
    expect(readCq(part('5^mg&milligram&UCUM'))).toEqual({
      value: '5',
      unit: { codes: [{ code: 'mg', display: 'milligram', system: 'UCUM' }] },
    })
    expect(readNr(part('^9'))).toEqual({ high: '9' })
    expect([readSi(part('12')), readSi(part('-1')), readSi(part('x'))]).toEqual([12, undefined, undefined])
  })
})
