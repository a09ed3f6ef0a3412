import { changeStatus } from '../actions/change-status.ts'
import { clinicians } from './callers.ts'
import { reasonQuery, referralIdOf, referralParams } from './fields.ts'
import { referralRoute } from './referral-route.ts'
import { ReferralView, referralView } from './views.ts'

export const revoke = referralRoute({
  method: 'POST',
  path: '/api/referrals/:id/revoke',
  who: clinicians,
  summary: 'Revokes a referral and cancels its open tasks',
  input: { params: referralParams, query: reasonQuery },
  output: { 200: ReferralView },
  run: async ({ params, query, caller, request }, deps) => {
    const call = { caller, request }
    return referralView(
      await changeStatus('revoke', referralIdOf(params), query.reason ?? null, call, deps),
      caller,
      deps,
    )
  },
})
