import type { CodeableConcept, Identifier, Quantity, Reference } from '../../../packages/fhir/r4.ts'

export const systems = {
  loinc: 'http://loinc.org',
  snomed: 'http://snomed.info/sct',
  icd10: 'http://hl7.org/fhir/sid/icd-10',
  cvx: 'http://hl7.org/fhir/sid/cvx',
  atc: 'http://www.whocc.no/atc',
  ucum: 'http://unitsofmeasure.org',
  nationalId: 'urn:corridor:demo:national-id',
} as const

export const hl7 = (name: string) => `http://terminology.hl7.org/CodeSystem/${name}`

export function concept(system: string, code: string, display: string, text = display): CodeableConcept {
  return { coding: [{ system, code, display }], text }
}

export const hl7Concept = (name: string, code: string): CodeableConcept => ({ coding: [{ system: hl7(name), code }] })

export const reference = (to: string, display?: string): Reference => ({
  reference: to,
  ...(display === undefined ? {} : { display }),
})

export const quantity = (value: number, unit: string, code = unit): Quantity => ({
  value,
  unit,
  system: systems.ucum,
  code,
})

/** Of a kind that HL7 table 0203 names. */
export const identifier = (type: string, system: string, value: string): Identifier => ({
  use: 'official',
  type: hl7Concept('v2-0203', type),
  system,
  value,
})
