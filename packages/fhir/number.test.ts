import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inDigits, numberRangeOf } from './number.ts'

describe('the range of a number', () => {
  // The first three are the examples of the standard, section 3.1.1.4.6.
  it.each([
    ['100', 99.5, 100.5],
    ['100.00', 99.995, 100.005],
    ['1e2', 95, 105],
    ['5.4', 5.35, 5.45],
    ['5.40e-3', 0.005395, 0.005405],
    ['0', -0.5, 0.5],
    ['-3.20', -3.205, -3.195],
    ['12345678901234567', 12345678901234566, 12345678901234570],
  ])('of %s is half a unit of its last digit to both sides', (text, low, high) => {
    expect(numberRangeOf(text)).toEqual({ value: Number(text), low, high })
  })

  it.each(['66.89999999999999', '0.1234567890123456', '9007199254740993', '-66.89999999999999', '0e0'])(
    'of %s holds it, although a double cannot tell its edges apart',
    (text) => {
      const { value, low, high } = numberRangeOf(text) ?? { value: Number.NaN, low: 0, high: 0 }
      expect(low <= value && value < high).toBe(true)
    },
  )

  it.each(['', 'five', '1.', '.5', '+5', '01', '1e', 'NaN', 'Infinity', '0x10', '1,5', '1e99999', '1e999'])(
    'is undefined for %j, which is no decimal',
    (text) => {
      expect(numberRangeOf(text)).toBeUndefined()
    },
  )

  it('holds its value and shrinks with every further digit', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 1, max: 5 }), (whole, places) => {
        const wide = numberRangeOf(String(whole))!
        const narrow = numberRangeOf(`${whole}.${'0'.repeat(places)}`)!
        expect(wide.low).toBeLessThanOrEqual(narrow.low)
        expect(narrow.low).toBeLessThan(whole)
        expect(narrow.high).toBeGreaterThan(whole)
        expect(wide.high).toBeGreaterThanOrEqual(narrow.high)
      }),
    )
  })
})

describe('a decimal without an exponent', () => {
  it.each([
    ['5.40', '5.40'],
    ['5e-7', '0.0000005'],
    ['-1.50e-3', '-0.00150'],
    ['12.5e-1', '1.25'],
    ['1.50E1', '15.0'],
    ['1.5e+3', '1500'],
    ['1e+21', '1000000000000000000000'],
    ['0e5', '0'],
    ['1e64', `1${'0'.repeat(64)}`],
    ['1e65', '1e65'],
    ['1e-65', '1e-65'],
    ['E', 'E'],
  ])('of %s is %s', (text, expected) => {
    expect(inDigits(text)).toBe(expected)
  })

  it('is the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1e60, max: 1e60 }), (value) => {
        // Minus zero has no text of its own.
        expect(Number(inDigits(String(value)))).toBe(value + 0)
      }),
    )
  })
})
