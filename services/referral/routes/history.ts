import { list } from '../../../packages/http/fields.ts'
import { eventsOf } from '../store/events.ts'
import { cliniciansAndPatients } from './callers.ts'
import { referralParams } from './fields.ts'
import { referralRoute } from './referral-route.ts'
import { EventView, eventView } from './views.ts'
import { seenReferral } from './visible-referral.ts'

export const history = referralRoute({
  method: 'GET',
  path: '/api/referrals/:id/history',
  who: cliniciansAndPatients,
  summary: 'Every step of a referral and its tasks: who, when, from, to and why; oldest first',
  input: { params: referralParams },
  output: { 200: list(EventView) },
  run: async ({ params, caller, request }, deps) => {
    const referral = await seenReferral(params, { caller, request }, deps)
    return (await eventsOf(referral.id, deps.database)).map(eventView)
  },
})
