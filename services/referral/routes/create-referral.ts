import { reply } from '../../../packages/http/answer.ts'
import { createReferral } from '../actions/create-referral.ts'
import { clinicians } from './callers.ts'
import { draftOf } from './draft-of.ts'
import { NewReferral } from './fields.ts'
import { referralRoute } from './referral-route.ts'
import { ReferralView, referralView } from './views.ts'

export const create = referralRoute({
  method: 'POST',
  path: '/api/referrals',
  who: clinicians,
  summary: 'Creates a referral as a draft',
  input: { body: NewReferral },
  output: { 201: ReferralView },
  run: async ({ body, caller, request }, deps) => {
    const referral = await createReferral(draftOf(body, deps.resourceTypes), { caller, request }, deps)
    return reply(201, referralView(referral, caller, deps), { location: `/api/referrals/${referral.id}` })
  },
})
