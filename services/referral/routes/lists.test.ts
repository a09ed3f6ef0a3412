import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import { admin, amara, leastDraft, referralApi, type AnyBody, type CallApi } from '../testing/referral-api.ts'
import { sentReferral } from '../testing/referral-states.ts'

let corridor: TestCorridor
let call: CallApi
beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'referral'], settings: { 'referral.fhirProjection': 'false' } })
  call = referralApi(corridor)
})
afterAll(() => corridor[Symbol.asyncDispose]())

describe('an inbox', () => {
  it('shows STAT, ASAP, URGENT, ROUTINE, and of one priority the oldest first', async () => {
    const wanted = ['ROUTINE', 'URGENT', 'STAT', 'ASAP', 'ROUTINE', 'STAT', 'ASAP', 'URGENT']
    const ids: Record<string, number[]> = {}
    for (const priority of wanted) {
      const { id } = await sentReferral(call, to('Organization/ordered', priority))
      ids[priority] = [...(ids[priority] ?? []), id]
    }
    const expected = ['STAT', 'ASAP', 'URGENT', 'ROUTINE'].flatMap((priority) => ids[priority] ?? [])
    expect(await inboxIds('Organization/ordered')).toEqual(expected)
  })

  it('has only active referrals of that performer', async () => {
    const { body: draft } = await call('POST /api/referrals', amara, to('Organization/only'))
    expect(await inboxIds('Organization/only')).toEqual([])
    await call(`POST /api/referrals/${draft.id}/send`, amara)
    expect(await inboxIds('Organization/only')).toEqual([draft.id])
    await call(`POST /api/referrals/${draft.id}/hold`, amara)
    expect(await inboxIds('Organization/only')).toEqual([])
    await call(`POST /api/referrals/${draft.id}/resume`, amara)
    expect(await inboxIds('Organization/only')).toEqual([draft.id])
    await call(`POST /api/referrals/${draft.id}/revoke`, amara)
    expect(await inboxIds('Organization/only')).toEqual([])
  })

  it('has what is on hold for whoever asks for it', async () => {
    const { id } = await sentReferral(call, to('Organization/held'))
    const held = '/api/referrals/inbox?performerId=Organization/held&status=ONHOLD'
    expect((await call<AnyBody[]>(`GET ${held}`, amara)).body).toEqual([])
    await call(`POST /api/referrals/${id}/hold`, amara)
    const { body } = await call<AnyBody[]>(`GET ${held}`, amara)
    expect(body.map((referral) => [referral.id, referral.status])).toEqual([[id, 'ONHOLD']])
    expect((await call('GET /api/referrals/inbox?performerId=Organization/held&status=DRAFT', amara)).status).toBe(400)
  })

  it('finds by its client id what names no performer', async () => {
    const { id } = await sentReferral(call, { ...leastDraft, receivingFacilityClientId: 'far-clinic' })
    const { body } = await call<AnyBody[]>('GET /api/referrals/inbox?receivingFacilityClientId=far-clinic', amara)
    expect(body.map((referral) => referral.id)).toEqual([id])
  })

  it('is bounded, with a way to the rest', async () => {
    for (let count = 0; count < 3; count++) await sentReferral(call, to('Organization/busy'))
    const first = await call<AnyBody[]>('GET /api/referrals/inbox?performerId=Organization/busy&size=2', amara)
    const next = /<(?<path>[^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.groups?.['path']
    const second = await call<AnyBody[]>(`GET ${next as `/${string}`}`, amara)
    expect([first.body.length, second.body.length, second.headers.get('link')]).toEqual([2, 1, null])
    expect(new Set([...first.body, ...second.body].map(({ id }) => id)).size).toBe(3)
  })

  it.each([
    '',
    '?performerId=',
    '?performerId=lakeside',
    '?performerId=Patient/p1',
    '?performerId=Organization/a&size=0',
  ])('wants to know whose it is: %j', async (query) => {
    const { status, body } = await call(`GET /api/referrals/inbox${query}`, amara)
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
  })
})

describe('the referrals of a patient', () => {
  it('are listed newest first, whatever their status', async () => {
    const draft = { ...leastDraft, patientId: 'Patient/listed' }
    const first = await sentReferral(call, draft)
    const { body: second } = await call('POST /api/referrals', amara, draft)
    await call('POST /api/referrals', amara, { ...draft, patientId: 'Patient/somebody-else' })
    const { body } = await call<AnyBody[]>('GET /api/referrals/patient/listed', amara)
    expect(body.map(({ id, status }) => [id, status])).toEqual([
      [second.id, 'DRAFT'],
      [first.id, 'ACTIVE'],
    ])
  })
})

it.each(['a%20b', 'Patient%2Fa%20b', 'Group%2Fa', 'a_b'])('no patient is called %s', async (patient) => {
  const { status, body } = await call(`GET /api/referrals/patient/${patient}`, amara)
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
})

describe('the counts', () => {
  it('follow every status', async () => {
    const before = (await call<Counts>('GET /api/referrals/stats', admin)).body
    await call('POST /api/referrals', amara, leastDraft)
    const { id } = await sentReferral(call)
    await call(`POST /api/referrals/${id}/hold`, amara)
    const revoked = await sentReferral(call)
    await call(`POST /api/referrals/${revoked.id}/revoke`, amara)
    expect((await call<Counts>('GET /api/referrals/stats', admin)).body).toEqual({
      ...before,
      draft: before.draft + 1,
      onHold: before.onHold + 1,
      revoked: before.revoked + 1,
    })
  })
})

interface Counts {
  readonly draft: number
  readonly active: number
  readonly completed: number
  readonly revoked: number
  readonly onHold: number
}

const to = (performerId: string, priority = 'ROUTINE') => ({ ...leastDraft, performerId, priority })

async function inboxIds(performerId: string): Promise<number[]> {
  const { body } = await call<AnyBody[]>(`GET /api/referrals/inbox?performerId=${performerId}`, amara)
  return body.map(({ id }) => id)
}
