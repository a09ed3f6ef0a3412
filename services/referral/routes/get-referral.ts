import { cliniciansAndPatients } from './callers.ts'
import { referralParams } from './fields.ts'
import { referralRoute } from './referral-route.ts'
import { referralReply, ReferralView } from './views.ts'
import { seenReferral } from './visible-referral.ts'

export const read = referralRoute({
  method: 'GET',
  path: '/api/referrals/:id',
  who: cliniciansAndPatients,
  summary: 'One referral; a patient sees only their own',
  input: { params: referralParams },
  output: { 200: ReferralView },
  run: async ({ params, caller, request }, deps) =>
    referralReply(200, await seenReferral(params, { caller, request }, deps), caller, deps),
})
