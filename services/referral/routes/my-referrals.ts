import { pageOf, pageQuery, PageSchema, readPage } from '../../../packages/http/page-envelope.ts'
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
  run: async ({ query, caller }, deps) => {
    const page = readPage(query)
    const { referrals, total } = await referralsBy(caller.subject, page, deps.database)
    const views = referrals.map((referral) => referralView(referral, caller, deps))
    return pageOf(views, page, total)
  },
})
