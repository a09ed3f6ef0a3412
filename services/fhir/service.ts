import { defineService } from '../../packages/service/service.ts'

export const fhirService = defineService({
  name: 'fhir',
  title: 'FHIR store',
  purpose:
    'Keeps the FHIR R4 record, the patient index, the facility registry and the terminology, and enforces SMART scopes.',
  migrations: new URL('./migrations/', import.meta.url),
  build: async () => ({ routes: [], deps: undefined }),
})
