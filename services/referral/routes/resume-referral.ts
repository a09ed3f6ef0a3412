import { IfMatch, versionsIn } from '../../../packages/http/version-tag.ts'
import { changeStatus } from '../actions/change-status.ts'
import { clinicians } from './callers.ts'
import { referralIdOf, referralParams } from './fields.ts'
import { referralRoute } from './referral-route.ts'
import { referralReply, ReferralView } from './views.ts'

export const resume = referralRoute({
  method: 'POST',
  path: '/api/referrals/:id/resume',
  who: clinicians,
  summary: 'Takes a referral up again that was on hold',
  input: { params: referralParams, headers: IfMatch },
  output: { 200: ReferralView },
  run: async ({ params, headers, caller, request }, deps) => {
    const seen = versionsIn(headers['if-match'])
    const referral = await changeStatus('resume', referralIdOf(params), null, { caller, request }, deps, seen)
    return referralReply(200, referral, caller, deps)
  },
})
