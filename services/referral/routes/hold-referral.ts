import { changeStatus } from '../actions/change-status.ts'
import { clinicians } from './callers.ts'
import { reasonQuery, referralIdOf, referralParams } from './fields.ts'
import { referralRoute } from './referral-route.ts'
import { ReferralView, referralView } from './views.ts'

export const hold = referralRoute({
  method: 'POST',
  path: '/api/referrals/:id/hold',
  who: clinicians,
  summary: 'Puts an active referral on hold',
  input: { params: referralParams, query: reasonQuery },
  output: { 200: ReferralView },
  run: async ({ params, query, caller, request }, deps) => {
    const call = { caller, request }
    return referralView(
      await changeStatus('hold', referralIdOf(params), query.reason ?? null, call, deps),
      caller,
      deps,
    )
  },
})
