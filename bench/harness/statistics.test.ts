import { array, assert, double, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { median, percentile, rounded, slope } from './statistics.ts'

describe('percentiles', () => {
  it.each([
    [[1], 50, 1],
    [[1, 2], 50, 1.5],
    [[3, 1, 2], 50, 2],
    [[10, 20, 30, 40, 50], 0, 10],
    [[10, 20, 30, 40, 50], 90, 46],
    [[10, 20, 30, 40, 50], 100, 50],
    [Array.from({ length: 101 }, (_, index) => 100 - index), 99, 99],
  ])('of %j at %d is %d', (values, percent, expected) => {
    expect(percentile(values, percent)).toBeCloseTo(expected, 10)
  })

  it('lie between the least and the greatest value and grow with the percentage', () => {
    const values = array(double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 50 })
    assert(
      property(values, integer({ min: 0, max: 99 }), (figures, percent) => {
        const at = percentile(figures, percent)
        expect(at).toBeGreaterThanOrEqual(Math.min(...figures) - 1e-6)
        expect(percentile(figures, percent + 1)).toBeGreaterThanOrEqual(at - 1e-6)
      }),
    )
  })

  it('do not change the values they are taken of', () => {
    const values = [3, 1, 2]
    median(values)
    expect(values).toEqual([3, 1, 2])
  })

  it('do not exist for nothing', () => {
    expect(() => median([])).toThrow('a percentile of nothing does not exist')
  })
})

it('keeps three significant digits', () => {
  expect([1234.5, 0.0012345, 2, 0].map(rounded)).toEqual([1230, 0.00123, 2, 0])
})

it.each([
  [[0, 0], [1, 2], [2, 4], 2],
  [[0, 5], [1, 5], [2, 5], 0],
  [[1, 4], [2, 1], [3, 1], -1.5],
] as const)('the line through %j, %j and %j grows by %d', (one, two, three, growth) => {
  expect(slope([one, two, three])).toBeCloseTo(growth, 10)
})
