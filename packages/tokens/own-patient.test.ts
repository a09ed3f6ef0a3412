import { describe, expect, it } from 'vitest'
import { ownPatient } from './own-patient.ts'

describe('the own patient of a caller', () => {
  it.each([
    ['1042', 'Patient/1042'],
    ['Patient/1042', 'Patient/1042'],
    ['1042', 'https://fhir.example/fhir/Patient/1042'],
    ['1042', undefined],
  ])('is Patient/1042 for the subject %s who is %s', (subject, fhirUser) => {
    expect(ownPatient({ subject, fhirUser })).toBe('Patient/1042')
  })

  it.each([
    ['1042', 'RelatedPerson/1042'],
    ['1042', 'Person/1042'],
    ['1042', 'Practitioner/1042'],
    ['1042', 'https://fhir.example/Patient/RelatedPerson/1042'],
    ['1042', 'Patient'],
    ['1042', ''],
    ['client:lab', undefined],
    ['a/b', 'Patient/1042'],
    ['RelatedPerson/1042', undefined],
  ])('is nobody for the subject %s who is %s', (subject, fhirUser) => {
    expect(ownPatient({ subject, fhirUser })).toBeUndefined()
  })
})
