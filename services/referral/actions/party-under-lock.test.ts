import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Transaction } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { changeReferral, lockReferral } from '../store/referrals.ts'
import { tasksOf } from '../store/tasks.ts'
import { callBy, plainDraft, referralWorld, type ReferralWorld } from '../testing/referral-deps.ts'
import { changeStatus } from './change-status.ts'
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

it.each([
  ['revokes', 'revoke', (id: number) => changeStatus('revoke', id, null, baraka, world.deps)],
  [
    'moves the task of',
    'task',
    async (id: number) => {
      const [task] = await tasksOf(id, world.deps.database)
      const wanted = { status: 'CANCELLED', note: null, rejectionReason: null } as const
      return moveTask({ referralId: id, taskId: task?.id ?? 0 }, wanted, baraka, world.deps)
    },
  ],
] as const)(
  'a facility that is no longer asked %s nothing, also where it asked before',
  async (_what, action, step) => {
    const { deps } = world
    const { id } = await createReferral(plainDraft, amara, deps)
    await sendReferral(id, amara, deps)
    const { ended } = await deps.database.transaction(async (tx) => {
      const before = await lockReferral(id, tx)
      if (before === undefined) throw new Error('no referral')
      const stepping = step(id).catch((fault: unknown) => fault)
      await waitFor(() => somebodyWaits(tx), { what: 'the step to wait' })
      const receiver = { receivingFacilityClientId: 'hill-clinic', performerId: null }
      await changeReferral(before, { status: before.status, receiver }, deps.clock.now(), tx)
      return { ended: stepping }
    })
    expect(await ended).toMatchObject({ kind: 'forbidden', code: 'FORBIDDEN' })
    const { status } = await deps.database.one<{ status: string }>(
      sql`select status from referral.referrals where id = ${id}`,
    )
    expect(status).toBe('ACTIVE')
    const refused = await deps.database.many(sql`
    select action, subject from referral.audit_events where referral_id = ${id} and outcome = 'refused'`)
    expect(refused).toEqual([{ action, subject: 'dr-baraka' }])
  },
)

async function somebodyWaits(tx: Transaction): Promise<boolean> {
  // A transaction sees the activity of the moment at which it first looked.
  await tx.run(sql`select pg_stat_clear_snapshot()`)
  const { count } = await tx.one<{ count: number }>(sql`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return count > 0
}
