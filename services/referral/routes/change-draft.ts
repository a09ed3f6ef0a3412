import { changeDraft } from '../actions/change-draft.ts'
import { clinicians } from './callers.ts'
import { draftOf } from './draft-of.ts'
import { NewReferral, referralIdOf, referralParams } from './fields.ts'
import { referralRoute } from './referral-route.ts'
import { ReferralView, referralView } from './views.ts'

export const change = referralRoute({
  method: 'PUT',
  path: '/api/referrals/:id',
  who: clinicians,
  summary: 'Writes a draft anew, for the same patient; what is left out is empty from then on',
  input: { params: referralParams, body: NewReferral },
  output: { 200: ReferralView },
  run: async ({ params, body, caller, request }, deps) => {
    const id = referralIdOf(params)
    const referral = await changeDraft(id, draftOf(body, deps.resourceTypes), { caller, request }, deps)
    return referralView(referral, caller, deps)
  },
})
