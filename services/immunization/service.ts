import { defineService } from '../../packages/service/service.ts'

export const immunizationService = defineService({
  name: 'immunization',
  title: 'Immunization app',
  purpose: "Shows a patient's vaccinations, what is due next, and a certificate to take along.",
  build: async () => ({ routes: [], deps: undefined }),
})
