import { describe, expect, it } from 'vitest'
import { deathOf } from './death.ts'
import { shownPatient } from './shown-patient.ts'

const born = { resourceType: 'Patient', birthDate: '2025-01-10' } as const
const now = new Date('2026-11-16T12:00:00Z')

describe('a death', () => {
  it.each([
    ['a day', { deceasedDateTime: '2025-06-01' }, { day: '2025-06-01', age: '4 months' }],
    [
      'an instant, in the zone it was written in',
      { deceasedDateTime: '2025-06-01T23:30:00-05:00' },
      { day: '2025-06-01', age: '4 months' },
    ],
    ['a month', { deceasedDateTime: '2025-06' }, { day: '2025-06', age: '4–5 months' }],
    ['a year', { deceasedDateTime: '2025' }, { day: '2025', age: '0–11 months' }],
    ['nothing but that', { deceasedBoolean: true }, { day: undefined, age: undefined }],
    ['that they live', { deceasedBoolean: false }, undefined],
    ['nothing', {}, undefined],
  ])('is read where the record says %s', (_what, said, expected) => {
    expect(deathOf({ ...born, ...said })).toEqual(expected)
  })

  it('ends the age: nobody who has died is shown as old as they would be', () => {
    expect(shownPatient({ ...born, deceasedDateTime: '2025-06-01' }, now)).toMatchObject({
      ...{ age: undefined, death: { day: '2025-06-01', age: '4 months' } },
    })
    expect(shownPatient(born, now)).toMatchObject({ age: '22 months' })
    expect(shownPatient(born, now)).not.toHaveProperty('death')
  })
})
