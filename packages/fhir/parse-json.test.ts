import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal, decimalOf, decimalText, parseJson } from './parse-json.ts'

describe('parsing JSON', () => {
  it.each([
    '{"value":1.00}',
    '{"value":-0.50,"unit":"mg"}',
    '[1e3,1E+3,1.5e-7]',
    '{"value":0.0000005}',
    '[0.000001,-0.00000012,10.0000005]',
    '{"value":12345678901234567890.123}',
    '{"value":-0}',
    '{"value":0}',
    '{"a":[1.5,1.50,100],"b":{"c":0.10}}',
    '{"text":"costs 1.00, or so"}',
  ])('keeps every decimal of %s as it was written', (text) => {
    expect(JSON.stringify(parseJson(text))).toBe(text)
  })

  it('gives plain numbers where nothing would be lost', () => {
    expect(parseJson('{"a":1,"b":1.5,"c":-7.25}')).toEqual({ a: 1, b: 1.5, c: -7.25 })
    expect(parseJson('{"a":1.00,"b":1.5}')).toEqual({ a: new Decimal('1.00'), b: 1.5 })
  })

  it('reads a nesting of any depth', () => {
    const depth = 100_000
    expect(parseJson('['.repeat(depth) + '1.00' + ']'.repeat(depth))).toHaveLength(1)
  })

  it('refuses what is no JSON', () => {
    expect(() => parseJson('{"a":01}')).toThrow(SyntaxError)
    expect(() => parseJson('{"a":1.00')).toThrow(SyntaxError)
  })

  it('equals the plain parser but for the writing of decimals', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const plain: unknown = JSON.parse(text)
        expect(JSON.parse(JSON.stringify(parseJson(text)))).toEqual(JSON.parse(JSON.stringify(plain)))
      }),
    )
  })

  it('keeps any decimal that a sender may write', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 99_999 })),
        fc.stringMatching(/^0{0,8}[0-9]{1,20}$/),
        fc.boolean(),
        (whole, fraction, isPretty) => {
          const text = `{"value":${isPretty ? ' ' : ''}${whole}.${fraction}${isPretty ? '\n' : ''}}`
          expect(JSON.stringify(parseJson(text))).toBe(text.replace(/\s/g, ''))
        },
      ),
    )
  })
})

describe('a decimal', () => {
  it('counts, compares and prints like a number', () => {
    const dose = new Decimal('1.50')
    expect(Number(dose) * 2).toBe(3)
    expect(Number(dose) > 1).toBe(true)
    expect(String(dose)).toBe('1.50')
  })

  it('is made only where a number would not do', () => {
    expect(decimalOf('5.4')).toBe(5.4)
    expect(decimalOf('5.40')).toEqual(new Decimal('5.40'))
    expect(decimalText(decimalOf('5.4'))).toBe('5.4')
    expect(decimalText(decimalOf('5.40'))).toBe('5.40')
  })
})
