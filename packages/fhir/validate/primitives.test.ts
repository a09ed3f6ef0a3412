import { describe, expect, it } from 'vitest'
import { Decimal } from '../parse-json.ts'
import { primitiveChecks } from './primitives.ts'
import { Report } from './report.ts'

const isAccepted = (type: string, value: unknown) => {
  const report = new Report()
  report.start({}, 'Test')
  primitiveChecks.get(type)?.(value, report)
  return report.errorCount === 0
}

const narrative = (text: string) => `<div xmlns="http://www.w3.org/1999/xhtml">${text}</div>`

describe('a primitive', () => {
  it.each<[string, unknown[], unknown[]]>([
    ['boolean', [true, false], ['true', 0, null]],
    ['integer', [0, -5, 2_147_483_647, -2_147_483_648], [1.5, '1', 2_147_483_648, Number.NaN, new Decimal('1.0')]],
    ['unsignedInt', [0, 7], [-1, 1.5, '0']],
    ['positiveInt', [1], [0, -1]],
    [
      'decimal',
      [1.5, -3, new Decimal('1.00')],
      ['1.5', Number.POSITIVE_INFINITY, new Decimal('x'), new Decimal(`1.${'0'.repeat(64)}`), {}],
    ],
    ['string', ['a', ' a\tb\r\nc ', 'ß'], ['', 7, 'a\u0000b', 'a\ud800b', 'x'.repeat(1_048_577)]],
    ['code', ['a', 'a b', 'http://x'], ['', ' a', 'a ', 'a  b', '\udfff', 'a\u0001', 5]],
    ['id', ['a', 'A-1.b', 'x'.repeat(64)], ['', 'a_b', 'a/b', 'x'.repeat(65), 1]],
    ['uri', ['http://x', 'urn:oid:1.2', 'relative'], ['', 'a b', 'urn:\ud800', 'a\u0000b']],
    ['oid', ['urn:oid:1.2.3'], ['1.2.3', 'urn:oid:3.1', 'urn:oid:1.02']],
    [
      'uuid',
      ['urn:uuid:c757873d-ec9a-4326-a141-556f43239520'],
      ['c757873d-ec9a-4326-a141-556f43239520', 'urn:uuid:C757873D-EC9A-4326-A141-556F43239520'],
    ],
    [
      'date',
      ['2024', '2024-02', '2024-02-29'],
      ['24', '2023-02-29', '2024-02-30', '2024-13', '0000', '2024-05-01T10:00:00Z'],
    ],
    [
      'dateTime',
      ['2024', '2024-02-29', '2024-05-01T10:30:00Z', '2024-05-01T10:30:00.123456+14:00'],
      [
        '2024-05-01T10:30:00',
        '2024-05-01T10:30Z',
        '2024-05-01T24:00:00Z',
        '2023-02-29T00:00:00Z',
        '2024-05-01T10:30:00+14:30',
      ],
    ],
    ['instant', ['2024-05-01T10:30:00.1Z'], ['2024', '2024-05-01', '2024-05-01T10:30:00']],
    ['time', ['10:30:00', '23:59:59.5'], ['10:30', '24:00:00', '10:30:00Z']],
    ['xhtml', [narrative('a\tb')], [narrative('a\u0000b'), narrative('\ud800'), 5]],
    [
      'base64Binary',
      ['QUJD', 'QUI=', 'QQ==', 'QUJD\nQUJD'],
      ['', 'QUJ', 'Q===', 'QU*D', 'Q=UJ', `${' '.repeat(1_000_000)}*`],
    ],
  ])('of the type %s is accepted or refused by its form', (type, accepted, refused) => {
    expect(accepted.filter((value) => !isAccepted(type, value))).toEqual([])
    expect(refused.filter((value) => isAccepted(type, value))).toEqual([])
  })
})
