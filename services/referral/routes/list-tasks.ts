import { list } from '../../../packages/http/fields.ts'
import { existingReferral } from '../actions/reach-referral.ts'
import { tasksOf } from '../store/tasks.ts'
import { clinicians } from './callers.ts'
import { referralIdOf, referralParams } from './fields.ts'
import { referralRoute } from './referral-route.ts'
import { TaskView, taskView } from './views.ts'

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
