import { integer, list, object } from '../../../packages/http/fields.ts'
import { pageOf, pageQuery, PageSchema, readPage } from '../../../packages/http/page-envelope.ts'
import { roles } from '../../../packages/http/who.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import { existingReferral } from '../actions/reach-referral.ts'
import type { ReferralDeps } from '../deps.ts'
import type { CountedReferral } from '../referral.ts'
import { noReferral } from '../refusals.ts'
import { eventsOf } from '../store/events.ts'
import { countByStatus, findReferral, referralsBy } from '../store/referrals.ts'
import { tasksOf } from '../store/tasks.ts'
import { clinicians, cliniciansAndPatients, onlyPatientOf } from './callers.ts'
import { referralIdOf, referralParams } from './fields.ts'
import { referralRoute } from './referral-route.ts'
import { EventView, eventView, ReferralView, referralView, TaskView, taskView } from './views.ts'

export const read = referralRoute({
  method: 'GET',
  path: '/api/referrals/:id',
  who: cliniciansAndPatients,
  summary: 'One referral; a patient sees only their own',
  input: { params: referralParams },
  output: { 200: ReferralView },
  run: async ({ params, caller }, deps) => referralView(await visibleReferral(params, caller, deps), caller, deps),
})

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

export const tasks = referralRoute({
  method: 'GET',
  path: '/api/referrals/:id/tasks',
  who: clinicians,
  summary: 'All tasks of a referral, oldest first',
  input: { params: referralParams },
  output: { 200: list(TaskView) },
  run: async ({ params, caller }, deps) => {
    const referral = await existingReferral(referralIdOf(params), deps.database)
    const found = await tasksOf(referral.id, deps.database)
    return found.map((task) => taskView(task, referral, caller, deps))
  },
})

export const history = referralRoute({
  method: 'GET',
  path: '/api/referrals/:id/history',
  who: cliniciansAndPatients,
  summary: 'Every step of a referral and its tasks: who, when, from, to and why; oldest first',
  input: { params: referralParams },
  output: { 200: list(EventView) },
  run: async ({ params, caller }, deps) => {
    const referral = await visibleReferral(params, caller, deps)
    return (await eventsOf(referral.id, deps.database)).map(eventView)
  },
})

export const stats = referralRoute({
  method: 'GET',
  path: '/api/referrals/stats',
  who: roles('ADMIN'),
  summary: 'How many referrals there are in each status',
  output: {
    200: object({
      draft: integer(),
      active: integer(),
      completed: integer(),
      revoked: integer(),
      onHold: integer(),
    }),
  },
  run: async (_input, deps) => {
    const counts = await countByStatus(deps.database)
    return {
      draft: counts.DRAFT,
      active: counts.ACTIVE,
      completed: counts.COMPLETED,
      revoked: counts.REVOKED,
      onHold: counts.ONHOLD,
    }
  },
})

async function visibleReferral(
  params: { readonly id: string },
  caller: Caller,
  deps: Pick<ReferralDeps, 'database'>,
): Promise<CountedReferral> {
  const referral = await findReferral(referralIdOf(params), onlyPatientOf(caller), deps.database)
  if (referral === undefined) throw noReferral()
  return referral
}
