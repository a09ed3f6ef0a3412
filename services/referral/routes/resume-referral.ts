import { changeStatus } from '../actions/change-status.ts'
import { clinicians } from './callers.ts'
import { referralIdOf, referralParams } from './fields.ts'
import { referralRoute } from './referral-route.ts'
import { ReferralView, referralView } from './views.ts'

export const resume = referralRoute({
  method: 'POST',
  path: '/api/referrals/:id/resume',
  who: clinicians,
  summary: 'Takes a referral up again that was on hold',
  input: { params: referralParams },
  output: { 200: ReferralView },
  run: async ({ params, caller, request }, deps) =>
    referralView(await changeStatus('resume', referralIdOf(params), null, { caller, request }, deps), caller, deps),
})
