import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { noticeTopic } from '../notices/plan-notices.ts'
import { tasksOf } from '../store/tasks.ts'
import { callBy, plainDraft, referralWorld, type ReferralWorld } from '../testing/referral-deps.ts'
import { changeStatus } from './change-status.ts'
import { createReferral } from './create-referral.ts'
import { moveTask } from './move-task.ts'
import { rerouteReferral } from './reroute-referral.ts'
import { sendReferral } from './send-referral.ts'

let world: ReferralWorld
beforeAll(async () => {
  world = await referralWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const amara = callBy('dr-amara', 'Organization/central-hospital')
const baraka = callBy('dr-baraka', 'Organization/lakeside-clinic')

it.each([
  ['the one that sent it', amara, [['hill-clinic', 'referral.sent']]],
  [
    'the one that was asked before',
    baraka,
    [
      ['central-hospital', 'referral.rerouted'],
      ['hill-clinic', 'referral.sent'],
    ],
  ],
])('when another facility is asked by %s, everybody else hears of it', async (_who, call, expected) => {
  const id = await rejected()
  const before = new Set((await noticesOf(id)).map(({ key }) => key))
  const elsewhere = { receivingFacilityClientId: 'hill-clinic', performerId: null }
  await rerouteReferral(id, elsewhere, call, world.deps)
  const told = (await noticesOf(id)).filter(({ key }) => !before.has(key))
  expect(told.map(({ facility, type }) => [facility, type])).toEqual(expected)
})

it('says that the referral was changed meanwhile where it was held and taken up again', async () => {
  const { deps } = world
  const id = await rejected()
  const next = async () => {
    await changeStatus('hold', id, null, amara, deps)
    await changeStatus('resume', id, null, amara, deps)
    return deps.taskIds.next()
  }
  // Sound: a re-route asks for a number and nothing else of them.
  const meanwhile = { ...deps, taskIds: { next } as unknown as typeof deps.taskIds }
  const elsewhere = { receivingFacilityClientId: 'hill-clinic', performerId: null }
  await expect(rerouteReferral(id, elsewhere, amara, meanwhile)).rejects.toMatchObject({
    ...{ code: 'INVALID_TRANSITION', message: expect.stringContaining('changed meanwhile') as unknown },
  })
})

async function rejected(): Promise<number> {
  const { id } = await createReferral(plainDraft, amara, world.deps)
  await sendReferral(id, amara, world.deps)
  const [task] = await tasksOf(id, world.deps.database)
  const ids = { referralId: id, taskId: task?.id ?? 0 }
  for (const status of ['RECEIVED', 'REJECTED'] as const) {
    await moveTask(ids, { status, note: null, rejectionReason: null }, baraka, world.deps)
  }
  return id
}

const noticesOf = (id: number) =>
  world.deps.database.many<{ key: string; facility: string; type: string }>(sql`
    select payload -> 'notification' ->> 'id' as key, payload ->> 'facilityClientId' as facility,
      payload -> 'notification' ->> 'type' as type
    from kit.outbox
    where queue = ${noticeTopic} and payload -> 'notification' -> 'facts' ->> 'referralId' = ${String(id)}
    order by 2`)
