import { defineService } from '../../packages/service/service.ts'

export const consentService = defineService({
  name: 'consent',
  title: 'Consent service',
  purpose: 'Keeps what patients have agreed to share and answers, with reasons, whether an access is permitted.',
  build: async () => ({ routes: [], deps: undefined }),
})
