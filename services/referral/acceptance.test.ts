import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../packages/sql/sql.ts'
import { acceptanceQueue, watchAcceptance } from './acceptance.ts'
import { changeStatus } from './actions/change-status.ts'
import { createReferral } from './actions/create-referral.ts'
import { moveTask } from './actions/move-task.ts'
import { sendReferral } from './actions/send-referral.ts'
import { noticeTopic } from './notices/plan-notices.ts'
import type { Priority } from './referral.ts'
import { eventsOf } from './store/events.ts'
import { findReferral } from './store/referrals.ts'
import { tasksOf } from './store/tasks.ts'
import { callBy, referralWorld, type ReferralWorld } from './testing/referral-deps.ts'

let world: ReferralWorld
beforeAll(async () => {
  world = await referralWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const amara = callBy('dr-amara', 'Organization/central-hospital')
const baraka = callBy('dr-baraka', 'Organization/lakeside-clinic')
const minute = 60_000

describe('the time for accepting', () => {
  it.each<[Priority, number]>([
    ['STAT', 15],
    ['ASAP', 4 * 60],
    ['URGENT', 24 * 60],
    ['ROUTINE', 72 * 60],
  ])(
    'of %s is %i minutes: one before, nothing happens; then it is flagged and both sides are told',
    async (priority, minutes) => {
      const id = await sent(priority)
      await pass(minutes - 1)
      expect(await stateOf(id)).toEqual({ attention: null, isOverdue: false })
      await pass(1)
      expect(await stateOf(id)).toEqual({ attention: 'NOT_ACCEPTED_IN_TIME', isOverdue: true })
      expect((await eventsOf(id, world.deps.database)).at(-1)).toMatchObject({ action: 'overdue', actor: 'system' })
      expect(await toldOf(id)).toEqual(['central-hospital', 'lakeside-clinic'])
      await pass(minutes)
      expect(await toldOf(id)).toHaveLength(2)
    },
  )

  it.each(['ACCEPTED', 'REJECTED', 'CANCELLED'] as const)('is kept by a facility that has %s', async (status) => {
    const id = await sent('STAT')
    await move(id, 'RECEIVED')
    await move(id, status)
    await pass(60)
    expect(await stateOf(id)).toMatchObject({ isOverdue: false })
  })

  it('is not kept by one that has only received it, and what is late can still be accepted', async () => {
    const id = await sent('STAT')
    await move(id, 'RECEIVED')
    await pass(15)
    expect(await stateOf(id)).toEqual({ attention: 'NOT_ACCEPTED_IN_TIME', isOverdue: true })
    await move(id, 'ACCEPTED')
    expect(await stateOf(id)).toEqual({ attention: null, isOverdue: true })
  })

  it('stands still while the referral is on hold', async () => {
    const id = await sent('STAT')
    await pass(10)
    await changeStatus('hold', id, null, amara, world.deps)
    await pass(60)
    expect(await stateOf(id)).toEqual({ attention: null, isOverdue: false })
    await changeStatus('resume', id, null, amara, world.deps)
    await pass(4)
    expect(await stateOf(id)).toEqual({ attention: null, isOverdue: false })
    await pass(1)
    expect(await stateOf(id)).toEqual({ attention: 'NOT_ACCEPTED_IN_TIME', isOverdue: true })
  })

  it('ends with the referral', async () => {
    const id = await sent('STAT')
    await changeStatus('revoke', id, null, amara, world.deps)
    await pass(15)
    expect(await stateOf(id)).toEqual({ attention: null, isOverdue: false })
  })
})

async function sent(priority: Priority): Promise<number> {
  const draft = {
    ...{
      patientId: 'Patient/p1',
      requesterId: 'Practitioner/d1',
      receivingFacilityClientId: 'lakeside-clinic',
      priority,
    },
    ...{ performerId: null, referralCode: null, referralDisplay: null, clinicalNote: null, occurrenceDate: null },
    ...{ reasonCodes: [], sharedResourceTypes: [], supportingInfo: [] },
  }
  const { id } = await createReferral(draft, amara, world.deps)
  await sendReferral(id, amara, world.deps)
  await world.deps.database.run(sql`delete from kit.outbox`)
  return id
}

async function move(referralId: number, status: 'RECEIVED' | 'ACCEPTED' | 'REJECTED' | 'CANCELLED'): Promise<void> {
  const [task] = await tasksOf(referralId, world.deps.database)
  await moveTask(
    { referralId, taskId: task?.id ?? 0 },
    { status, note: null, rejectionReason: null },
    baraka,
    world.deps,
  )
}

/** Lets time go by, and whatever is due by then be done. */
async function pass(minutes: number): Promise<void> {
  world.clock.jump(minutes * minute)
  const worker = watchAcceptance(world.deps)
  worker.start()
  await worker.drain()
  await worker.stop()
  const due = await world.deps.jobs.dead(acceptanceQueue)
  expect(due).toEqual([])
}

async function stateOf(id: number) {
  const referral = await findReferral(id, undefined, world.deps.database)
  const [task] = await tasksOf(id, world.deps.database)
  return { attention: referral?.attention, isOverdue: task?.overdueAt !== null }
}

async function toldOf(id: number): Promise<string[]> {
  const rows = await world.deps.database.many<{ facility: string }>(sql`
    select payload ->> 'facilityClientId' as facility from kit.outbox
    where queue = ${noticeTopic} and payload -> 'notification' -> 'facts' ->> 'referralId' = ${String(id)}
      and payload -> 'notification' ->> 'type' = 'referral.not-accepted-in-time'
    order by 1`)
  return rows.map(({ facility }) => facility)
}
