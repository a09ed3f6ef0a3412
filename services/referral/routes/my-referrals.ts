import { pageOf, pageQuery, PageSchema, readPage } from '../../../packages/http/page-envelope.ts'
import { actorOf } from '../actions/call.ts'
import { recordListLook } from '../actions/record.ts'
import { referralsBy } from '../store/referral-lists.ts'
import { clinicians } from './callers.ts'
import { referralRoute } from './referral-route.ts'
import { ReferralView, referralView } from './views.ts'

export const myReferrals = referralRoute({
  method: 'GET',
  path: '/api/referrals/my-referrals',
  who: clinicians,
  summary: 'The referrals that the caller created, newest first',
  input: { query: pageQuery() },
  output: { 200: PageSchema(ReferralView) },
  run: async ({ query, caller, request }, deps) => {
    const page = readPage(query)
    const [{ referrals, total }] = await Promise.all([
      referralsBy(caller.subject, page, deps.database),
      recordListLook({ list: 'mine', actor: actorOf({ caller, request }) }, deps),
    ])
    const views = referrals.map((referral) => referralView(referral, caller, deps))
    return pageOf(views, page, total)
  },
})
