import { IfMatch, versionsIn } from '../../../packages/http/version-tag.ts'
import { sendReferral } from '../actions/send-referral.ts'
import { clinicians } from './callers.ts'
import { referralIdOf, referralParams } from './fields.ts'
import { referralRoute } from './referral-route.ts'
import { referralReply, ReferralView } from './views.ts'

export const send = referralRoute({
  method: 'POST',
  path: '/api/referrals/:id/send',
  who: clinicians,
  summary: 'Sends a draft to the receiving facility, if the patient has agreed to share what it names',
  input: { params: referralParams, headers: IfMatch },
  output: { 200: ReferralView },
  run: async ({ params, headers, caller, request }, deps) => {
    const seen = versionsIn(headers['if-match'])
    const referral = await sendReferral(referralIdOf(params), { caller, request }, deps, seen)
    return referralReply(200, referral, caller, deps)
  },
})
