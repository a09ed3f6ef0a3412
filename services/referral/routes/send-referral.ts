import { sendReferral } from '../actions/send-referral.ts'
import { clinicians } from './callers.ts'
import { referralIdOf, referralParams } from './fields.ts'
import { referralRoute } from './referral-route.ts'
import { ReferralView, referralView } from './views.ts'

export const send = referralRoute({
  method: 'POST',
  path: '/api/referrals/:id/send',
  who: clinicians,
  summary: 'Sends a draft to the receiving facility, if the patient has agreed to share what it names',
  input: { params: referralParams },
  output: { 200: ReferralView },
  run: async ({ params, caller, request }, deps) =>
    referralView(await sendReferral(referralIdOf(params), { caller, request }, deps), caller, deps),
})
