import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { timeRangeOf } from './date.ts'

const at = (iso: string) => Date.parse(iso)

describe('the range of a date', () => {
  it.each([
    ['2024', '2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z'],
    ['2024-02', '2024-02-01T00:00:00Z', '2024-03-01T00:00:00Z'],
    ['2024-12', '2024-12-01T00:00:00Z', '2025-01-01T00:00:00Z'],
    ['2024-02-29', '2024-02-29T00:00:00Z', '2024-03-01T00:00:00Z'],
    ['2024-05-01T10:30Z', '2024-05-01T10:30:00Z', '2024-05-01T10:31:00Z'],
    ['2024-05-01T10:30:15Z', '2024-05-01T10:30:15Z', '2024-05-01T10:30:16Z'],
    ['2024-05-01T10:30:15.2Z', '2024-05-01T10:30:15.200Z', '2024-05-01T10:30:15.300Z'],
    ['2024-05-01T10:30:15.250Z', '2024-05-01T10:30:15.250Z', '2024-05-01T10:30:15.251Z'],
    ['2024-05-01T10:30:15.250999Z', '2024-05-01T10:30:15.250Z', '2024-05-01T10:30:15.251Z'],
    ['2024-05-01T10:30:15+03:00', '2024-05-01T07:30:15Z', '2024-05-01T07:30:16Z'],
    ['2024-05-01T10:30:15-05:30', '2024-05-01T16:00:15Z', '2024-05-01T16:00:16Z'],
    ['2024-05-01T10:30:15', '2024-05-01T10:30:15Z', '2024-05-01T10:30:16Z'],
    ['0050', '0050-01-01T00:00:00Z', '0051-01-01T00:00:00Z'],
  ])('of %s is as wide as its precision', (text, low, high) => {
    expect(timeRangeOf(text)).toEqual({ low: at(low), high: at(high) })
  })

  it.each([
    '',
    '24',
    '0000',
    '2024-13',
    '2024-00',
    '2023-02-29',
    '2024-04-31',
    '2024-5-1',
    '2024-05-01T',
    '2024-05-01T24:00:00Z',
    '2024-05-01T10:60:00Z',
    '2024-05-01T10:30:15.Z',
    '2024-05-01T10:30:15+3:00',
    '2024-05-01T10:30:15+15:00',
    '2024-05-01T10:30:15ZZ',
    '2024-05-01 10:30:15Z',
    'yesterday',
  ])('is undefined for %j, which is no date', (text) => {
    expect(timeRangeOf(text)).toBeUndefined()
  })

  const instants = fc.date({ min: new Date('0001-01-01'), max: new Date('9998-12-31'), noInvalidDate: true })

  it('of a shorter date holds the range of every longer one that begins with it', () => {
    fc.assert(
      fc.property(instants, fc.constantFrom(4, 7, 10), fc.constantFrom(7, 10, 24), (date, short, long) => {
        const iso = date.toISOString()
        const outer = timeRangeOf(iso.slice(0, Math.min(short, long)))
        const inner = timeRangeOf(iso.slice(0, long))
        expect(outer).toBeDefined()
        expect(inner!.low).toBeGreaterThanOrEqual(outer!.low)
        expect(inner!.high).toBeLessThanOrEqual(outer!.high)
        expect(inner!.low).toBeLessThan(inner!.high)
      }),
    )
  })

  it('begins where the next one ends', () => {
    fc.assert(
      fc.property(instants, (date) => {
        const day = date.toISOString().slice(0, 10)
        const nextDay = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
        expect(timeRangeOf(day)!.high).toBe(timeRangeOf(nextDay)!.low)
      }),
    )
  })

  it('does not throw on any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => timeRangeOf(text)).not.toThrow()
        expect(() => timeRangeOf(`2024-05-01T10${text}`)).not.toThrow()
      }),
    )
  })
})
