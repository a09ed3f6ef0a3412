import { cliniciansAndPatients } from './callers.ts'
import { referralParams } from './fields.ts'
import { referralRoute } from './referral-route.ts'
import { ReferralView, referralView } from './views.ts'
import { visibleReferral } from './visible-referral.ts'

export const read = referralRoute({
  method: 'GET',
  path: '/api/referrals/:id',
  who: cliniciansAndPatients,
  summary: 'One referral; a patient sees only their own',
  input: { params: referralParams },
  output: { 200: ReferralView },
  run: async ({ params, caller }, deps) => referralView(await visibleReferral(params, caller, deps), caller, deps),
})
