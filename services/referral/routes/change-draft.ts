import { IfMatch, versionsIn } from '../../../packages/http/version-tag.ts'
import { changeDraft } from '../actions/change-draft.ts'
import { clinicians } from './callers.ts'
import { draftOf, wrongInDraft } from './draft-of.ts'
import { NewReferral, referralIdOf, referralParams } from './fields.ts'
import { referralRoute } from './referral-route.ts'
import { referralReply, ReferralView } from './views.ts'

export const change = referralRoute({
  method: 'PUT',
  path: '/api/referrals/:id',
  who: clinicians,
  summary: 'Writes a draft anew, for the same patient; what is left out is empty from then on',
  input: { params: referralParams, headers: IfMatch, body: NewReferral },
  output: { 200: ReferralView },
  alsoWrong: ({ body }, { resourceTypes }) => wrongInDraft(body, resourceTypes),
  run: async ({ params, headers, body, caller, request }, deps) => {
    const id = referralIdOf(params)
    const seen = versionsIn(headers['if-match'])
    const referral = await changeDraft(id, draftOf(body, deps.resourceTypes), { caller, request }, deps, seen)
    return referralReply(200, referral, caller, deps)
  },
})
