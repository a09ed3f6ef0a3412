import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import type { Role } from '../../../packages/tokens/caller.ts'
import { facilityDirectory } from '../facilities.ts'
import { noticeTopic } from '../notices/plan-notices.ts'
import { tasksOf } from '../store/tasks.ts'
import { callBy, plainDraft, referralWorld, type ReferralWorld } from '../testing/referral-deps.ts'
import type { Call } from './call.ts'
import { changeDraft } from './change-draft.ts'
import { changeStatus } from './change-status.ts'
import { createReferral } from './create-referral.ts'
import { moveTask } from './move-task.ts'
import { sendReferral } from './send-referral.ts'

let world: ReferralWorld
beforeAll(async () => {
  world = await referralWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const [central, lakeside, elsewhere] = ['central-hospital', 'lakeside-clinic', 'Organization/hill-clinic']
const amara = callBy('dr-amara', `Organization/${central}`)
const baraka = callBy('dr-baraka', `Organization/${lakeside}`)
const chidi = callBy('dr-chidi', elsewhere)

describe('of a step', () => {
  it.each([
    ['by the sender', [lakeside], [lakeside], amara],
    ['by the receiver', [central], [central], baraka],
    ['by an administrator of neither', [central, lakeside], [central, lakeside], as(['ADMIN'], chidi)],
    ["by an administrator of the sender's", [central, lakeside], [central, lakeside], as(['ADMIN'], amara)],
    ['by a clinician of the sender who administrates, too', [lakeside], [lakeside], as(['CLINICIAN', 'ADMIN'], amara)],
    ['by somebody of a third facility, where the role is enough', [central, lakeside], [central, lakeside], chidi],
    ['by who does not say where they work', [lakeside], [central], placeless()],
  ])('%s hear: when it is held %j, when the task is received %j', async (_who, ofHold, ofTask, call) => {
    const deps = { ...world.deps, partyRules: 'off' } as const
    const held = await sent()
    await changeStatus('hold', held, null, call, deps)
    expect(await toldOf(held, 'referral.held')).toEqual(ofHold)
    const received = await sent()
    const [task] = await tasksOf(received, deps.database)
    const wanted = { status: 'RECEIVED', note: null, rejectionReason: null } as const
    await moveTask({ referralId: received, taskId: task?.id ?? 0 }, wanted, call, deps)
    expect(await toldOf(received, 'referral.task.received')).toEqual(ofTask)
  })

  it.each([
    ['its writer nobody', amara, []],
    ['an administrator its writer alone', as(['ADMIN'], chidi), [central]],
  ])(
    'that is taken with a draft by %s hears: the facility that it names has not been asked',
    async (_who, call, told) => {
      const { id } = await createReferral(plainDraft, amara, world.deps)
      await changeDraft(id, { ...plainDraft, priority: 'STAT' }, call, world.deps)
      await changeStatus('revoke', id, null, call, world.deps)
      expect(await toldOf(id, 'referral.changed')).toEqual(told)
      expect(await toldOf(id, 'referral.revoked')).toEqual(told)
    },
  )

  it("of the receiver's a sender who uses another facility's app hears where they work", async () => {
    const inTheirApp = { ...amara, caller: { ...amara.caller, clientId: 'hill-clinic' } }
    const { id } = await createReferral(plainDraft, inTheirApp, world.deps)
    await sendReferral(id, inTheirApp, world.deps)
    await changeStatus('hold', id, null, baraka, world.deps)
    expect(await toldOf(id, 'referral.held')).toEqual([central])
  })

  it('that sends a draft by an administrator both hear', async () => {
    const { id } = await createReferral(plainDraft, amara, world.deps)
    await sendReferral(id, as(['ADMIN'], chidi), world.deps)
    expect(await toldOf(id, 'referral.sent')).toEqual([central, lakeside])
  })
})

it('a facility that is configured under another of its client ids hears of it, and so does one whose program has sent', async () => {
  const declared = [central, lakeside].map((id) => ({ clientId: `${id}-app`, organisation: `Organization/${id}` }))
  const facilities = facilityDirectory(
    declared.map((facility) => ({ ...facility, webhook: undefined, phone: undefined, email: undefined })),
  )
  const deps = { ...world.deps, facilities }
  const own = { subject: `client:${central}`, clientId: central, organisation: undefined }
  const program = { ...amara, caller: { ...amara.caller, ...own } }
  const { id } = await createReferral(plainDraft, program, deps)
  await sendReferral(id, program, deps)
  const [task] = await tasksOf(id, deps.database)
  const wanted = { status: 'RECEIVED', note: null, rejectionReason: null } as const
  await moveTask({ referralId: id, taskId: task?.id ?? 0 }, wanted, baraka, deps)
  const told = [await toldOf(id, 'referral.sent'), await toldOf(id, 'referral.task.received')]
  expect(told).toEqual([[`${lakeside}-app`], [`${central}-app`]])
})

function as(roles: readonly Role[], { caller, request }: Call): Call {
  return { caller: { ...caller, subject: 'admin', roles: new Set(roles) }, request }
}

function placeless(): Call {
  return { ...amara, caller: { ...amara.caller, subject: 'dr-plain', organisation: undefined } }
}

async function sent(): Promise<number> {
  const { id } = await createReferral(plainDraft, amara, world.deps)
  await sendReferral(id, amara, world.deps)
  return id
}

async function toldOf(id: number, type: string): Promise<string[]> {
  const rows = await world.deps.database.many<{ facility: string }>(sql`
    select payload ->> 'facilityClientId' as facility from kit.outbox
    where queue = ${noticeTopic} and payload -> 'notification' -> 'facts' ->> 'referralId' = ${String(id)}
      and payload -> 'notification' ->> 'type' = ${type}
    order by 1`)
  return rows.map(({ facility }) => facility)
}
