import { IfMatch, versionsIn } from '../../../packages/http/version-tag.ts'
import { rerouteReferral } from '../actions/reroute-referral.ts'
import { clinicians } from './callers.ts'
import { referralIdOf, referralParams, Reroute } from './fields.ts'
import { referralRoute } from './referral-route.ts'
import { referralReply, ReferralView } from './views.ts'

export const reroute = referralRoute({
  method: 'POST',
  path: '/api/referrals/:id/reroute',
  who: clinicians,
  summary: 'Sends a referral that was turned down to another facility, through a new consent gate',
  input: { params: referralParams, headers: IfMatch, body: Reroute },
  output: { 200: ReferralView },
  run: async ({ params, headers, body, caller, request }, deps) => {
    const { receivingFacilityClientId, performerId = null } = body
    const receiver = { receivingFacilityClientId, performerId }
    const seen = versionsIn(headers['if-match'])
    const referral = await rerouteReferral(referralIdOf(params), receiver, { caller, request }, deps, seen)
    return referralReply(200, referral, caller, deps)
  },
})
