import type {
  Appointment,
  DiagnosticReport,
  DocumentReference,
  Encounter,
  MedicationRequest,
  Observation,
  Patient,
  PractitionerRole,
  ServiceRequest,
} from '../../../../ports/fhir-store/resources.ts'

const subject = { reference: 'Patient/amara' }

export const patient: Patient & { id: string } = {
  resourceType: 'Patient',
  id: 'amara',
  active: true,
  identifier: [{ system: 'urn:oid:1.2.3', value: '778899' }],
  name: [{ family: 'Okonkwo', given: ['Amara'] }],
  gender: 'female',
  birthDate: '1980-05-04',
  telecom: [{ system: 'phone', use: 'mobile', value: '+999 555 0100' }],
}

export const merged: Patient & { id: string } = {
  resourceType: 'Patient',
  id: 'amara-old',
  active: false,
  identifier: [{ system: 'urn:oid:1.2.3', value: '111' }],
  link: [{ type: 'replaced-by', other: { reference: 'Patient/amara' } }],
}

export const encounter = (status: Encounter['status'], code: string): Encounter & { id: string } => ({
  resourceType: 'Encounter',
  id: `visit-${code}`.toLowerCase(),
  status,
  class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code },
  subject,
  identifier: [{ value: 'V1' }],
})

const loinc = (code: string) => ({ coding: [{ system: 'http://loinc.org', code }] })

export const observation = (
  interpretation: string,
  given: Partial<Observation> & { readonly id?: string } = {},
): Observation & { id: string } => ({
  resourceType: 'Observation',
  id: 'potassium',
  status: 'final',
  category: [
    { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }] },
  ],
  code: loinc('2823-3'),
  subject,
  effectiveDateTime: '2026-03-04T05:00:00Z',
  valueQuantity: { value: 6.5, unit: 'mmol/L', system: 'http://unitsofmeasure.org', code: 'mmol/L' },
  interpretation: [
    {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation', code: interpretation }],
    },
  ],
  ...given,
})

export const notifiable = (status: Observation['status'], code = '94500-6'): Observation & { id: string } =>
  observation('N', { id: 'virus', status, code: loinc(code) })

export const report = (status: DiagnosticReport['status']): DiagnosticReport & { id: string } => ({
  resourceType: 'DiagnosticReport',
  id: 'panel',
  status,
  code: loinc('24323-8'),
  subject,
  result: [{ reference: 'Observation/potassium' }],
  identifier: [{ value: 'R1' }],
})

export const order = (
  category: string,
  given: Partial<Omit<ServiceRequest, 'id'>> = {},
): ServiceRequest & { id: string } => ({
  resourceType: 'ServiceRequest',
  id: `order-${category}`,
  status: 'active',
  intent: 'order',
  category: [{ coding: [{ system: 'http://snomed.info/sct', code: category }] }],
  code: loinc('24323-8'),
  subject,
  identifier: [{ value: 'O1' }],
  ...given,
})

export const document = (status: DocumentReference['status']): DocumentReference & { id: string } => ({
  resourceType: 'DocumentReference',
  id: 'letter',
  status,
  subject,
  content: [{ attachment: { contentType: 'text/plain' } }],
})

export const prescription = (status: NonNullable<MedicationRequest['status']>, text = 'Lisinopril 10 mg') =>
  ({
    resourceType: 'MedicationRequest',
    id: 'prescription',
    status,
    intent: 'order',
    medicationCodeableConcept: { text },
    subject,
    identifier: [{ value: 'P1' }],
  }) satisfies MedicationRequest

export const appointment = (status: Appointment['status']): Appointment & { id: string } => ({
  resourceType: 'Appointment',
  id: 'appointment',
  status,
  start: '2026-04-01T09:30:00Z',
  end: '2026-04-01T10:00:00Z',
  participant: [{ actor: subject, status: 'accepted' }],
})

export const role = (active?: boolean): PractitionerRole & { id: string } => ({
  resourceType: 'PractitionerRole',
  id: 'role',
  ...(active === undefined ? {} : { active }),
})
