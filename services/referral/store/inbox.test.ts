import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeStatus } from '../actions/change-status.ts'
import { createReferral } from '../actions/create-referral.ts'
import { moveTask } from '../actions/move-task.ts'
import { sendReferral } from '../actions/send-referral.ts'
import { facilityDirectory } from '../facilities.ts'
import type { Priority } from '../referral.ts'
import { callBy, referralWorld, type ReferralWorld } from '../testing/referral-deps.ts'
import { countInbox, inboxOf, inboxStatuses } from './referral-lists.ts'
import { tasksOf } from './tasks.ts'

let world: ReferralWorld
beforeAll(async () => {
  world = await referralWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const amara = callBy('dr-amara', 'Organization/central-hospital')

const facility = { webhook: undefined, email: undefined, phone: undefined }
const directory = facilityDirectory([
  { ...facility, clientId: 'hill-app', organisation: 'Organization/hill' },
  { ...facility, clientId: 'hill-old', organisation: 'Organization/hill' },
  { ...facility, clientId: 'taken', organisation: 'Organization/elsewhere' },
])

describe('the client ids of an organisation', () => {
  it.each([
    ['Organization/hill', ['hill-app', 'hill-old', 'hill']],
    ['Organization/elsewhere', ['taken', 'elsewhere']],
    ['Organization/undeclared', ['undeclared']],
    ['Organization/taken', []],
  ])('%s are %j', (organisation, clientIds) => {
    expect(directory.clientIdsOf(organisation)).toEqual(clientIds)
  })
})

describe('the inbox of a facility under all of its names', () => {
  it('has what names it as performer, and what names no performer and one of its client ids', async () => {
    const mine = [
      await sent('whatever', 'Organization/hill'),
      await sent('hill-app', null),
      await sent('hill-old', null),
      await sent('hill', null),
    ]
    await sent('hill-app', 'Organization/elsewhere')
    await sent('taken', null)
    const owner = { organisation: 'Organization/hill', clientIds: directory.clientIdsOf('Organization/hill') }
    const found = await inboxOf(owner, inboxStatuses, 0, 10, world.deps.database)
    expect(found.map(({ id }) => id)).toEqual(mine)
    expect(await countInbox(owner, world.deps.database)).toEqual({ total: 4, unread: 4 })

    const [task] = await tasksOf(mine[0] ?? 0, world.deps.database)
    const ids = { referralId: mine[0] ?? 0, taskId: task?.id ?? 0 }
    await moveTask(ids, { status: 'RECEIVED', note: null, rejectionReason: null }, amara, world.deps)
    expect(await countInbox(owner, world.deps.database)).toEqual({ total: 4, unread: 3 })
  })

  it('has what is on hold after everything that is under way, as nothing new', async () => {
    const owner = { organisation: 'Organization/lake', clientIds: ['lake'] }
    const [first, urgent, last] = [await sent('lake', null), await sent('lake', null, 'STAT'), await sent('lake', null)]
    await changeStatus('hold', urgent, null, amara, world.deps)
    const found = await inboxOf(owner, inboxStatuses, 0, 10, world.deps.database)
    expect(found.map(({ id }) => id)).toEqual([first, last, urgent])
    expect(await countInbox(owner, world.deps.database)).toEqual({ total: 3, unread: 2 })
    await changeStatus('revoke', urgent, null, amara, world.deps)
    expect(await countInbox(owner, world.deps.database)).toEqual({ total: 2, unread: 2 })
  })
})

async function sent(
  receivingFacilityClientId: string,
  performerId: string | null,
  priority: Priority = 'ROUTINE',
): Promise<number> {
  const { id } = await createReferral(
    {
      ...{ patientId: 'Patient/p1', requesterId: 'Practitioner/d1', receivingFacilityClientId, performerId },
      ...{ referralCode: null, referralDisplay: null, priority, clinicalNote: null, occurrenceDate: null },
      ...{ reasonCodes: [], sharedResourceTypes: [], supportingInfo: [] },
    },
    amara,
    world.deps,
  )
  await sendReferral(id, amara, world.deps)
  return id
}
