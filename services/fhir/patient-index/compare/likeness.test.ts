import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jaroWinkler } from './jaro-winkler.ts'
import { isOneEdit } from './one-edit.ts'

describe('the likeness of two texts', () => {
  // The pairs of Winkler's own publications.
  it.each([
    ['martha', 'marhta', 0.961],
    ['dwayne', 'duane', 0.84],
    ['dixon', 'dicksonx', 0.813],
    ['abroms', 'abrams', 0.922],
    ['jones', 'johnson', 0.832],
    ['abc', 'xyz', 0],
    ['', 'a', 0],
  ])('of %s and %s is %d', (a, b, expected) => {
    expect(jaroWinkler(a, b)).toBeCloseTo(expected, 3)
  })

  it('is between 0 and 1, the same both ways, and 1 for equals', () => {
    const name = fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'b', 'c', 'd', 'é') })
    fc.assert(
      fc.property(name, name, (a, b) => {
        const likeness = jaroWinkler(a, b)
        expect(likeness).toBeGreaterThanOrEqual(0)
        expect(likeness).toBeLessThanOrEqual(1)
        expect(jaroWinkler(b, a)).toBeCloseTo(likeness, 9)
        expect(jaroWinkler(a, a)).toBe(1)
      }),
    )
  })
})

describe('one keystroke', () => {
  it.each([
    ['19840312', '19840313', true],
    ['19840312', '1984312', true],
    ['19840312', '198403122', true],
    ['19840312', '19843012', true],
    ['19840312', '19840321', true],
    ['19840312', '19840312', false],
    ['19840312', '19850313', false],
    ['', 'a', true],
    ['ab', 'cd', false],
  ])('between %s and %s: %s', (a, b, expected) => {
    expect(isOneEdit(a, b)).toBe(expected)
    expect(isOneEdit(b, a)).toBe(expected)
  })
})
