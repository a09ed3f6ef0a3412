import { describe, expect, it } from 'vitest'
import { ageIn } from './age.ts'

describe('an age', () => {
  it.each([
    ['2026-03-01', '3 days'],
    ['2026-02-10', '3 weeks'],
    ['2025-03-05', '11 months'],
    ['2025-03-04', '12 months'],
    ['2024-03-04', '2 years'],
    ['1992-03', '33–34 years'],
    ['1992-02', '34 years'],
    ['1992', '33–34 years'],
    ['2024', '1–2 years'],
    ['2025', '2–14 months'],
    ['2025-11', '3–4 months'],
    ['2026', '0–8 weeks'],
    ['2026-03', '0–3 days'],
    ['2026-04', undefined],
    ['2027-01-01', undefined],
    ['nonsense', undefined],
  ])('of someone born %s is %s', (birthDate, expected) => {
    expect(ageIn(birthDate, new Date('2026-03-04T12:00:00Z'))).toBe(expected)
  })
  it.each([
    ['1940-06-15', '2025', '84–85 years'],
    ['1940', '2025', '84–85 years'],
    ['1940-06-15', '2025-06', '84–85 years'],
    ['1940-06-15', '2025-07', '85 years'],
    ['1940', '2025-12-31', '85 years'],
    ['2025-03-10', '2025', '0–9 months'],
    ['2025', '2025', '0–11 months'],
    ['2025-03-10', '2025-03-12', '2 days'],
    ['2025-06-01', '2024', undefined],
    ['1940-06-15', 'some day', undefined],
  ])('of someone born %s who died %s is %s', (birthDate, diedAt, expected) => {
    expect(ageIn(birthDate, diedAt)).toBe(expected)
  })
})
