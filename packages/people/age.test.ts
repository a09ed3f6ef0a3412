import { describe, expect, it } from 'vitest'
import { ageIn } from './age.ts'

describe('an age', () => {
  it.each([
    ['2026-03-01', '3 days'],
    ['2026-02-10', '3 weeks'],
    ['2025-03-05', '11 months'],
    ['2025-03-04', '12 months'],
    ['2024-03-04', '2 years'],
    ['1992', '34 years'],
    ['2027-01-01', undefined],
    ['nonsense', undefined],
  ])('of someone born %s is %s', (birthDate, expected) => {
    expect(ageIn(birthDate, new Date('2026-03-04T12:00:00Z'))).toBe(expected)
  })
})
