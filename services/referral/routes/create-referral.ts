import { createReferral } from '../actions/create-referral.ts'
import { clinicians } from './callers.ts'
import { draftOf, wrongInDraft } from './draft-of.ts'
import { NewReferral } from './fields.ts'
import { referralRoute } from './referral-route.ts'
import { referralReply, ReferralView } from './views.ts'

export const create = referralRoute({
  method: 'POST',
  path: '/api/referrals',
  who: clinicians,
  summary: 'Creates a referral as a draft',
  input: { body: NewReferral },
  output: { 201: ReferralView },
  alsoWrong: ({ body }, { resourceTypes }) => wrongInDraft(body, resourceTypes),
  run: async ({ body, caller, request }, deps) => {
    const referral = await createReferral(draftOf(body, deps.resourceTypes), { caller, request }, deps)
    return referralReply(201, referral, caller, deps, { location: `/api/referrals/${referral.id}` })
  },
})
