import { IfMatch, versionsIn } from '../../../packages/http/version-tag.ts'
import { moveTask } from '../actions/move-task.ts'
import { clinicians } from './callers.ts'
import { referralIdOf, taskIdOf, taskParams, taskStatusOf, TaskUpdate, wrongInStatus } from './fields.ts'
import { referralRoute } from './referral-route.ts'
import { taskReply, TaskView } from './views.ts'

export const patchTask = referralRoute({
  method: 'PATCH',
  path: '/api/referrals/:id/tasks/:taskId',
  who: clinicians,
  summary: 'Moves a task on; used by the receiving facility',
  input: { params: taskParams, headers: IfMatch, body: TaskUpdate },
  output: { 200: TaskView },
  alsoWrong: ({ body: { status = '' } }) => wrongInStatus(status),
  run: async ({ params, headers, body, caller, request }, deps) => {
    const ids = { referralId: referralIdOf(params), taskId: taskIdOf(params) }
    const { note = null, rejectionReason = null } = body
    const wanted = { status: taskStatusOf(body.status), note, rejectionReason }
    const seen = versionsIn(headers['if-match'])
    const { task, referral } = await moveTask(ids, wanted, { caller, request }, deps, seen)
    return taskReply(task, referral, caller, deps)
  },
})
