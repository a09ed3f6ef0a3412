import { httpSection } from '../../packages/service/http-section.ts'

export const immunizationSection = httpSection('immunization', 'immunization app', 8084)
