import type { Immunization, ImmunizationRecommendation, Patient } from '../../../packages/fhir/r4.ts'

/** Small resources for tests; each says only what its test is about. */
export const patient = (changes: Partial<Patient> = {}): Patient => ({
  resourceType: 'Patient',
  id: 'p1',
  name: [{ given: ['Zawadi'], family: 'Otieno' }],
  birthDate: '2024-06-01',
  gender: 'female',
  ...changes,
})

export const immunization = (id: string, changes: Partial<Immunization> = {}): Immunization => ({
  resourceType: 'Immunization',
  id,
  status: 'completed',
  vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '19', display: 'BCG' }] },
  patient: { reference: 'Patient/p1' },
  occurrenceDateTime: '2024-06-02',
  ...changes,
})

type Entry = ImmunizationRecommendation['recommendation'][number]

export const recommendation = (
  id: string,
  entry: Partial<Entry> = {},
  changes: Partial<ImmunizationRecommendation> = {},
): ImmunizationRecommendation => ({
  resourceType: 'ImmunizationRecommendation',
  id,
  patient: { reference: 'Patient/p1' },
  date: '2026-03-01',
  recommendation: [
    {
      vaccineCode: [{ coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '03', display: 'MMR' }] }],
      forecastStatus: { coding: [{ code: 'due' }] },
      ...entry,
    },
  ],
  ...changes,
})

export const criterion = (code: string, value: string) => ({
  code: { coding: [{ system: 'http://loinc.org', code }] },
  value,
})
