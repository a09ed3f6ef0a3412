import { httpSection } from '../../packages/service/http-section.ts'

export const fhirSection = httpSection('fhir', 'FHIR store', 8080, '/fhir')
