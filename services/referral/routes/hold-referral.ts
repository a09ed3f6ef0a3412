import { IfMatch, versionsIn } from '../../../packages/http/version-tag.ts'
import { changeStatus } from '../actions/change-status.ts'
import { clinicians } from './callers.ts'
import { reasonQuery, referralIdOf, referralParams } from './fields.ts'
import { referralRoute } from './referral-route.ts'
import { referralReply, ReferralView } from './views.ts'

export const hold = referralRoute({
  method: 'POST',
  path: '/api/referrals/:id/hold',
  who: clinicians,
  summary: 'Puts an active referral on hold',
  input: { params: referralParams, headers: IfMatch, query: reasonQuery },
  output: { 200: ReferralView },
  run: async ({ params, headers, query, caller, request }, deps) => {
    const call = { caller, request }
    const seen = versionsIn(headers['if-match'])
    const referral = await changeStatus('hold', referralIdOf(params), query.reason ?? null, call, deps, seen)
    return referralReply(200, referral, caller, deps)
  },
})
