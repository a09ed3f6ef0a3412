import { program, type TestCaller } from '../../testing/fhir-world.ts'

const lab = 'category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory'
const doctor: TestCaller = { roles: ['CLINICIAN'], fhirUser: 'Practitioner/dr-amara' }
const patient: TestCaller = { roles: ['PATIENT'], fhirUser: 'Patient/amina' }

/** Tokens that are good for one patient, each in another way, and one that sees everything. */
export const callers = {
  patient: { ...doctor, patient: 'amina', scope: 'launch patient/*.cruds' },
  'patient, reading': { ...patient, patient: 'amina', scope: 'patient/*.read' },
  'user who is a patient': { ...patient, scope: 'openid fhirUser user/*.cruds' },
  granular: {
    ...doctor,
    patient: 'amina',
    scope: `patient/Observation.cruds?${lab} patient/Patient.rs patient/Practitioner.rs patient/Organization.rs`,
  },
  'own record only': { ...patient, patient: 'amina', scope: 'openid fhirUser' },
  'no scope': { ...doctor, patient: 'amina', scope: 'openid launch' },
  'patient scopes without a patient': { ...doctor, scope: 'patient/*.cruds' },
  program,
} as const satisfies Record<string, TestCaller>

export type TokenName = keyof typeof callers

export const confined = [
  'patient',
  'patient, reading',
  'user who is a patient',
  'granular',
  'own record only',
  'no scope',
  'patient scopes without a patient',
] as const satisfies readonly TokenName[]
