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

describe('an encounter', () => {
  it.each(['Patient/amina', 'Patient/amina/_history/3', `${base}/Patient/amina`, `${base}/Patient/amina/_history/3`])(
    'of %s is one of the patient amina, and shown as theirs',
    (reference) => {
      expect(isAbout('amina', visit(reference), base)).toBe(true)
      const row = patientRow({ resourceType: 'Patient', id: 'amina' }, [visit(reference)], { base, now: new Date() })
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

  it('of nobody is nobody’s', () => {
    const { subject: _nobody, ...without } = visit('')
    expect(isAbout('amina', without, base)).toBe(false)
  })
})
