import type { Coding, FhirResource } from './r4.ts'

/** The security label of what a patient, or who acts for one, has written: HL7 has a code for it. */
export const patientsWord = {
  system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue',
  code: 'PATRPT',
  display: 'patient reported',
} as const satisfies Coding

export const isPatientsWord = ({ meta }: Pick<FhirResource, 'meta'>): boolean =>
  meta?.security?.some(({ system, code }) => system === patientsWord.system && code === patientsWord.code) === true
