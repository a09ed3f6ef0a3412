import { httpSection } from '../../packages/service/http-section.ts'

export const consentSection = httpSection('consent', 'consent service', 8082)
