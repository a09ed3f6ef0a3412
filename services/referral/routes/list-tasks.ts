import { list } from '../../../packages/http/fields.ts'
import { tasksOf } from '../store/tasks.ts'
import { clinicians } from './callers.ts'
import { referralParams } from './fields.ts'
import { referralRoute } from './referral-route.ts'
import { TaskView, taskView } from './views.ts'
import { seenReferral } from './visible-referral.ts'

export const tasks = referralRoute({
  method: 'GET',
  path: '/api/referrals/:id/tasks',
  who: clinicians,
  summary: 'All tasks of a referral, oldest first',
  input: { params: referralParams },
  output: { 200: list(TaskView) },
  run: async ({ params, caller, request }, deps) => {
    const referral = await seenReferral(params, { caller, request }, deps)
    const found = await tasksOf(referral.id, deps.database)
    return found.map((task) => taskView(task, referral, caller, deps))
  },
})
