import { defineService } from '../../packages/service/service.ts'

export const referralService = defineService({
  name: 'referral',
  title: 'Referral service',
  purpose: "Carries a referral from draft to closed loop between two facilities, never past a patient's consent.",
  build: async () => ({ routes: [], deps: undefined }),
})
