import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { lockReferral } from '../store/referrals.ts'
import { tasksOf } from '../store/tasks.ts'
import { callBy, plainDraft, referralWorld, type ReferralWorld } from '../testing/referral-deps.ts'
import type { TaskStatus } from '../transitions.ts'
import { createReferral } from './create-referral.ts'
import { moveTask } from './move-task.ts'
import { sendReferral } from './send-referral.ts'

let world: ReferralWorld
beforeAll(async () => {
  world = await referralWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const amara = callBy('dr-amara', 'Organization/central-hospital')
const baraka = callBy('dr-baraka', 'Organization/lakeside-clinic')

it('who is overtaken is told where the task stands now', async () => {
  const overtaken = await moveWhile('RECEIVED', 'COMPLETED')
  expect(overtaken).toMatchObject({ code: 'INVALID_TRANSITION', message: expect.stringContaining('status RECEIVED') })
})

it('who wants the same step is told that it was taken', async () => {
  const overtaken = await moveWhile('RECEIVED', 'RECEIVED')
  expect(overtaken).toMatchObject({ code: 'INVALID_TRANSITION', message: expect.stringContaining('status RECEIVED') })
})

it('a step that has become possible meanwhile is taken', async () => {
  expect(await moveWhile('RECEIVED', 'ACCEPTED')).toMatchObject({ task: { status: 'ACCEPTED' } })
})

/** What becomes of a step that was looked at before somebody else took another, and waits for them. */
async function moveWhile(others: TaskStatus, wanted: TaskStatus): Promise<unknown> {
  const { database } = world.deps
  const { id } = await createReferral(plainDraft, amara, world.deps)
  await sendReferral(id, amara, world.deps)
  const [task] = await tasksOf(id, database)
  const ids = { referralId: id, taskId: task?.id ?? 0 }
  const waiting = await database.transaction(async (tx) => {
    await lockReferral(id, tx)
    const moving = moveTask(ids, { status: wanted, note: null, rejectionReason: null }, baraka, world.deps)
    const ended = moving.catch((fault: unknown) => fault)
    const isWaiting = async () => {
      // A transaction sees the activity of the moment at which it first looked.
      await tx.run(sql`select pg_stat_clear_snapshot()`)
      return (await tx.one<{ count: number }>(waitingForLocks)).count > 0
    }
    await waitFor(isWaiting, { what: 'the step to wait' })
    await tx.run(sql`update referral.tasks set status = ${others} where id = ${ids.taskId}`)
    return { ended }
  })
  return waiting.ended
}

const waitingForLocks = sql`select count(*)::int as count from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`
