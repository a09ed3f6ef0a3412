import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeStatus } from '../actions/change-status.ts'
import { createReferral } from '../actions/create-referral.ts'
import type { Queryable } from '../../../packages/sql/database.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'
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

/** Of a country: what a facility's inbox costs must not grow with the inboxes of the others. */
it('is found by the indexes of inboxes alone', async () => {
  const { database } = world.deps
  await database.run(sql`
    insert into referral.referrals (id, status, priority, patient_id, requester_id, receiving_facility_client_id,
      performer_id, reason_codes, shared_resource_types, supporting_info, consent_verified, created_by, sending_client_id,
      created_at, updated_at, version)
    select 1000000 + n, case when n % 4 = 0 then 'ONHOLD' else 'ACTIVE' end, 3, 'Patient/p', 'Practitioner/d',
      'f' || n % 500, case when n % 3 = 0 then null else 'Organization/f' || n % 500 end, '{}', '{}', '{}', true, 'd', 'c',
      now(), now(), 1
    from generate_series(1, 20000) n`)
  await database.run(sql`analyze referral.referrals`)
  const owner = { organisation: 'Organization/f7', clientIds: ['f7', 'f8'] }
  const plans: string[] = []
  const explaining = {
    many: async (statement: Statement) => {
      const rows = await database.many<Record<string, string>>(sql`explain ${statement}`)
      plans.push(rows.flatMap(Object.values).join('\n'))
      return []
    },
  }
  // Sound: a list is one statement with many rows.
  await inboxOf(owner, inboxStatuses, 0, 50, explaining as unknown as Queryable)
  const used = [...(plans[0] ?? '').matchAll(/on (referrals_\w+)/g)].map(([, index]) => index)
  expect(new Set(used)).toEqual(
    new Set(['referrals_inbox', 'referrals_facility_inbox', 'referrals_held', 'referrals_facility_held']),
  )
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
