import type { TestResource } from './search-world.ts'

const loinc = (code: string, display?: string) => ({ coding: [{ system: 'http://loinc.org', code, display }] })
const ucum = (value: number, unit: string, code = unit) => ({
  value,
  unit,
  system: 'http://unitsofmeasure.org',
  code,
})

/** Three patients and what was written down about them. */
export const ward: readonly TestResource[] = [
  { resourceType: 'Organization', id: 'central', name: 'Central Hospital' },
  { resourceType: 'Practitioner', id: 'amara', name: [{ family: 'Amara', given: ['Zola'] }] },
  {
    resourceType: 'Patient',
    id: 'amina',
    meta: { tag: [{ system: 'urn:tags', code: 'demo' }], profile: ['http://example.org/profile'] },
    identifier: [
      {
        type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MR' }] },
        system: 'urn:mrn',
        value: '1',
      },
    ],
    active: true,
    name: [{ family: 'Diallo', given: ['Amina'] }],
    telecom: [{ system: 'phone', value: '+254700' }],
    gender: 'female',
    birthDate: '1980-03-01',
    address: [{ line: ['1 Lake Road'], city: 'Kisumu' }],
    generalPractitioner: [{ reference: 'Practitioner/amara' }],
    managingOrganization: { reference: 'Organization/central' },
  },
  {
    resourceType: 'Patient',
    id: 'kofi',
    meta: { security: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality', code: 'R' }] },
    identifier: [
      { system: 'urn:mrn', value: '2' },
      { system: 'urn:odd', value: 'a,b|c$d' },
    ],
    name: [{ given: ['Kofi'] }],
    telecom: [{ system: 'email', value: 'kofi@example.org' }],
    gender: 'male',
    birthDate: '1990-07',
    deceasedBoolean: true,
  },
  {
    resourceType: 'Patient',
    id: 'noor',
    identifier: [{ value: '1' }],
    name: [{ family: 'Núñez', given: ['Ana', 'María'] }],
  },
  {
    resourceType: 'Encounter',
    id: 'stay',
    status: 'finished',
    class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'IMP' },
    subject: { reference: 'Patient/amina' },
    period: { start: '2024-01-31', end: '2024-03-02' },
  },
  {
    resourceType: 'Observation',
    id: 'glucose',
    status: 'final',
    code: loinc('2339-0', 'Glucose'),
    subject: { reference: 'Patient/amina' },
    encounter: { reference: 'Encounter/stay' },
    effectiveDateTime: '2024-05-01T10:00:00Z',
    interpretation: [{ coding: [{ code: 'H' }] }],
    valueQuantity: ucum(5.4, 'mmol/l', 'mmol/L'),
  },
  {
    resourceType: 'Observation',
    id: 'pressure',
    status: 'final',
    code: { ...loinc('85354-9'), text: 'Blood  pressure' },
    subject: { reference: 'Patient/amina' },
    effectivePeriod: { start: '2024-05-02' },
    component: [
      { code: loinc('8480-6'), valueQuantity: ucum(140, 'mmHg') },
      { code: loinc('8462-4'), valueQuantity: ucum(90, 'mmHg') },
    ],
  },
  {
    resourceType: 'Observation',
    id: 'smoking',
    status: 'final',
    code: loinc('72166-2'),
    subject: { reference: 'http://localhost:8080/fhir/Patient/kofi' },
    valueCodeableConcept: { coding: [{ system: 'http://snomed.info/sct', code: '8517006' }] },
  },
  {
    resourceType: 'Observation',
    id: 'trace',
    status: 'preliminary',
    code: loinc('2349-9'),
    subject: {
      reference: 'https://other.example/fhir/Patient/9',
      identifier: { system: 'urn:mrn', value: '77' },
    },
    valueQuantity: { ...ucum(0.1, 'g/L'), comparator: '<' },
  },
  {
    resourceType: 'RiskAssessment',
    id: 'high',
    status: 'final',
    subject: { reference: 'Patient/amina' },
    prediction: [{ probabilityDecimal: 0.9 }],
  },
  {
    resourceType: 'RiskAssessment',
    id: 'low',
    status: 'final',
    subject: { reference: 'Patient/kofi' },
    prediction: [{ probabilityDecimal: 0.1 }],
  },
  {
    resourceType: 'Questionnaire',
    id: 'follow-up',
    url: 'http://example.org/fhir/Questionnaire/follow-up',
    status: 'active',
  },
  {
    resourceType: 'QuestionnaireResponse',
    id: 'answers',
    questionnaire: 'http://example.org/Questionnaire/base|2',
    status: 'completed',
  },
]
