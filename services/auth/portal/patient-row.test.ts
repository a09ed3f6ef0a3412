import { describe, expect, it } from 'vitest'
import type { Encounter } from '../../../ports/fhir-store/resources.ts'
import { isAbout, patientRow } from './patient-row.ts'

const base = 'https://ehr.example/fhir'

const visit = (reference: string): Encounter => ({
  resourceType: 'Encounter',
  id: 'visit',
  status: 'finished',
  class: { code: 'AMB' },
  subject: { reference },
})

const whole = (...encounters: readonly Encounter[]) => ({ encounters, isWhole: true })

describe('an encounter', () => {
  it.each(['Patient/amina', 'Patient/amina/_history/3', `${base}/Patient/amina`, `${base}/Patient/amina/_history/3`])(
    'of %s is one of the patient amina, and shown as theirs',
    (reference) => {
      expect(isAbout('amina', visit(reference), base)).toBe(true)
      const row = patientRow({ resourceType: 'Patient', id: 'amina' }, whole(visit(reference)), {
        base,
        now: new Date(),
      })
      expect(row.lastEncounter?.id).toBe('visit')
    },
  )

  it.each([
    'Patient/kofi',
    'Patient/amina-2',
    'Group/amina',
    'https://elsewhere.example/fhir/Patient/amina',
    'https://ehr.example/Patient/amina',
    '#amina',
    'urn:uuid:amina',
    '',
  ])('of %j is not', (reference) => {
    expect(isAbout('amina', visit(reference), base)).toBe(false)
  })

  it('is the last one by its moment, however each sender writes its offset; one without a time comes last', () => {
    const at = (id: string, start?: string): Encounter => ({
      ...visit('Patient/amina'),
      id,
      ...(start === undefined ? {} : { period: { start } }),
    })
    const visits = [
      at('without a time'),
      at('early', '2026-01-06T09:00:00+09:00'),
      at('late', '2026-01-05T23:30:00-05:00'),
      at('before both', '2026-01-05'),
    ]
    for (const given of [visits, visits.toReversed()]) {
      const row = patientRow({ resourceType: 'Patient', id: 'amina' }, whole(...given), { base, now: new Date() })
      expect(row.lastEncounter?.id).toBe('late')
    }
    const none = [at('without a time'), at('nor this')]
    expect(
      patientRow({ resourceType: 'Patient', id: 'amina' }, whole(...none), { base, now: new Date() }).lastEncounter?.id,
    ).toBe('without a time')
  })

  it.each(['planned', 'cancelled', 'entered-in-error'] as const)(
    'that is %s is not when somebody was last seen, however late it is',
    (status) => {
      const seen: Encounter = { ...visit('Patient/amina'), period: { start: '2026-01-05' } }
      const never: Encounter = { ...visit('Patient/amina'), id: 'never', status, period: { start: '2026-09-01' } }
      const lastOf = (...given: Encounter[]) =>
        patientRow({ resourceType: 'Patient', id: 'amina' }, whole(...given), { base, now: new Date() }).lastEncounter
          ?.id
      expect([lastOf(never, seen), lastOf(never)]).toEqual(['visit', undefined])
    },
  )

  it('is known to be missing only where all were looked at', () => {
    const lastOf = (isWhole: boolean) =>
      patientRow({ resourceType: 'Patient', id: 'amina' }, { encounters: [], isWhole }, { base, now: new Date() })
        .lastEncounter
    expect([lastOf(true), lastOf(false)]).toEqual([null, undefined])
  })

  it('of nobody is nobody’s', () => {
    const { subject: _nobody, ...without } = visit('')
    expect(isAbout('amina', without, base)).toBe(false)
  })
})
