import { expect, it } from 'vitest'
import { testCorridor } from '../../../packages/testkit/test-corridor.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { amara, baraka, fullDraft, referralApi } from '../testing/referral-api.ts'
import { sentReferral } from '../testing/referral-states.ts'

interface Found {
  readonly status?: string
  readonly total?: number
}

it('a referral and its task are found in the real FHIR store, and so is who touched them', async () => {
  await using corridor = await testCorridor({ services: ['auth', 'fhir', 'referral'] })
  const call = referralApi(corridor)
  const { id, taskId } = await sentReferral(call, fullDraft)
  // The store writes down who touches it, too; ours are those about what was done to the referral.
  const ours = ['create', 'send', 'task', 'revoke'].map((action) => `urn:corridor:referral-action|${action}`).join()
  const authorization = await corridor.bearerFor({ role: 'SYSTEM' })
  const get = async (path: string) => {
    const answer = await fetch(`${corridor.url('fhir')}/${path}`, { headers: { authorization } })
    return (await answer.json()) as Found
  }
  const inStore = (path: string, status: string) =>
    waitFor(async () => (await get(path)).status === status, { what: `${path} to be ${status}`, deadlineMs: 15_000 })
  const isThere = [
    await inStore(`ServiceRequest/corridor-referral-${id}`, 'active'),
    await inStore(`Task/corridor-referral-task-${taskId}`, 'requested'),
  ]
  const remove = async (path: string) => {
    const answer = await fetch(`${corridor.url('fhir')}/${path}`, { method: 'DELETE', headers: { authorization } })
    return [answer.status, (await answer.text()).includes(`${corridor.url('referral')}/api/referrals`)]
  }
  expect(await remove(`ServiceRequest/corridor-referral-${id}`)).toEqual([403, true])
  expect(await remove(`Task/corridor-referral-task-${taskId}`)).toEqual([403, true])
  await call(`PATCH /api/referrals/${id}/tasks/${taskId}`, baraka, { status: 'RECEIVED' })
  await call(`POST /api/referrals/${id}/revoke`, amara)
  isThere.push(
    await inStore(`ServiceRequest/corridor-referral-${id}`, 'revoked'),
    await inStore(`Task/corridor-referral-task-${taskId}`, 'cancelled'),
    await waitFor(
      async () => (await get(`AuditEvent?entity=ServiceRequest/corridor-referral-${id}&subtype=${ours}`)).total === 4,
      {
        what: 'an AuditEvent for each of the four calls',
        deadlineMs: 15_000,
      },
    ),
  )
  expect(isThere).toEqual([true, true, true, true, true])
})
