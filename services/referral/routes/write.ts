import { reply } from '../../../packages/http/answer.ts'
import { changeStatus } from '../actions/change-status.ts'
import { createReferral } from '../actions/create-referral.ts'
import { moveTask } from '../actions/move-task.ts'
import { rerouteReferral } from '../actions/reroute-referral.ts'
import { sendReferral } from '../actions/send-referral.ts'
import { clinicians } from './callers.ts'
import { draftOf } from './draft-of.ts'
import {
  NewReferral,
  reasonQuery,
  referralIdOf,
  referralParams,
  Reroute,
  taskIdOf,
  taskParams,
  taskStatusOf,
  TaskUpdate,
} from './fields.ts'
import { referralRoute } from './referral-route.ts'
import { ReferralView, referralView, TaskView, taskView } from './views.ts'

export const create = referralRoute({
  method: 'POST',
  path: '/api/referrals',
  who: clinicians,
  summary: 'Creates a referral as a draft',
  input: { body: NewReferral },
  output: { 201: ReferralView },
  run: async ({ body, caller, request }, deps) => {
    const referral = await createReferral(draftOf(body, deps.resourceTypes), { caller, request }, deps)
    return reply(201, referralView(referral, caller, deps), { location: `/api/referrals/${referral.id}` })
  },
})

export const send = referralRoute({
  method: 'POST',
  path: '/api/referrals/:id/send',
  who: clinicians,
  summary: 'Sends a draft to the receiving facility, if the patient has agreed to share what it names',
  input: { params: referralParams },
  output: { 200: ReferralView },
  run: async ({ params, caller, request }, deps) =>
    referralView(await sendReferral(referralIdOf(params), { caller, request }, deps), caller, deps),
})

export const patchTask = referralRoute({
  method: 'PATCH',
  path: '/api/referrals/:id/tasks/:taskId',
  who: clinicians,
  summary: 'Moves a task on; used by the receiving facility',
  input: { params: taskParams, body: TaskUpdate },
  output: { 200: TaskView },
  run: async ({ params, body, caller, request }, deps) => {
    const ids = { referralId: referralIdOf(params), taskId: taskIdOf(params) }
    const { note = null, rejectionReason = null } = body
    const wanted = { status: taskStatusOf(body.status), note, rejectionReason }
    const { task, referral } = await moveTask(ids, wanted, { caller, request }, deps)
    return taskView(task, referral, caller, deps)
  },
})

export const revoke = referralRoute({
  method: 'POST',
  path: '/api/referrals/:id/revoke',
  who: clinicians,
  summary: 'Revokes a referral and cancels its open tasks',
  input: { params: referralParams, query: reasonQuery },
  output: { 200: ReferralView },
  run: async ({ params, query, caller, request }, deps) => {
    const call = { caller, request }
    return referralView(
      await changeStatus('revoke', referralIdOf(params), query.reason ?? null, call, deps),
      caller,
      deps,
    )
  },
})

export const hold = referralRoute({
  method: 'POST',
  path: '/api/referrals/:id/hold',
  who: clinicians,
  summary: 'Puts an active referral on hold',
  input: { params: referralParams, query: reasonQuery },
  output: { 200: ReferralView },
  run: async ({ params, query, caller, request }, deps) => {
    const call = { caller, request }
    return referralView(
      await changeStatus('hold', referralIdOf(params), query.reason ?? null, call, deps),
      caller,
      deps,
    )
  },
})

export const resume = referralRoute({
  method: 'POST',
  path: '/api/referrals/:id/resume',
  who: clinicians,
  summary: 'Takes a referral up again that was on hold',
  input: { params: referralParams },
  output: { 200: ReferralView },
  run: async ({ params, caller, request }, deps) =>
    referralView(await changeStatus('resume', referralIdOf(params), null, { caller, request }, deps), caller, deps),
})

export const reroute = referralRoute({
  method: 'POST',
  path: '/api/referrals/:id/reroute',
  who: clinicians,
  summary: 'Sends a referral that was turned down to another facility, through a new consent gate',
  input: { params: referralParams, body: Reroute },
  output: { 200: ReferralView },
  run: async ({ params, body, caller, request }, deps) => {
    const receiver = { ...body, performerId: body.performerId ?? null }
    return referralView(await rerouteReferral(referralIdOf(params), receiver, { caller, request }, deps), caller, deps)
  },
})
