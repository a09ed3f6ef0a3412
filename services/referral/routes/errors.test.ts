import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import { amara, baraka, referralApi, type CallApi } from '../testing/referral-api.ts'
import { sentReferral, States } from '../testing/referral-states.ts'

let corridor: TestCorridor
let call: CallApi
beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'referral'], settings: { 'referral.fhirProjection': 'false' } })
  call = referralApi(corridor)
})
afterAll(() => corridor[Symbol.asyncDispose]())

describe('an error', () => {
  it.each([
    ['GET /api/referrals/999999', 404, 'NOT_FOUND'],
    ['GET /api/referrals/my-referrals?size=0', 400, 'VALIDATION_FAILED'],
    ['GET /api/referrals/stats', 403, 'FORBIDDEN'],
    ['GET /api/nothing-here', 404, 'NOT_FOUND'],
    ['PATCH /api/referrals/inbox', 405, 'METHOD_NOT_ALLOWED'],
  ] as const)('of %s is a problem and has a code and a message', async (request, status, code) => {
    const answer = await call<Record<string, unknown>>(request, amara)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.body).toMatchObject({ status, code, message: answer.body['detail'] })
    expect(Object.keys(answer.body)).toEqual(expect.arrayContaining(['type', 'title', 'detail', 'timestamp']))
  })

  it('that nobody expected says nothing of its cause', async () => {
    await using states = await States.of(corridor.databaseUrl)
    const { id } = await sentReferral(call)
    await states.database.run(sql`alter table referral.events rename to events_elsewhere`)
    const { status, body } = await call(`GET /api/referrals/${id}/history`, amara)
    await states.database.run(sql`alter table referral.events_elsewhere rename to events`)
    expect([status, body.code]).toEqual([500, 'INTERNAL_ERROR'])
    expect(JSON.stringify(body)).not.toContain('events')
    expect((await call(`GET /api/referrals/${id}/history`, amara)).status).toBe(200)
  })

  it('in the middle of a transition leaves nothing of it', async () => {
    await using states = await States.of(corridor.databaseUrl)
    const { id, taskId } = await sentReferral(call)
    await states.database.run(sql`alter table referral.audit_events rename to audit_elsewhere`)
    const moved = await call(`PATCH /api/referrals/${id}/tasks/${taskId}`, baraka, { status: 'RECEIVED' })
    const revoked = await call(`POST /api/referrals/${id}/revoke`, amara)
    await states.database.run(sql`alter table referral.audit_elsewhere rename to audit_events`)
    expect([moved.status, revoked.status]).toEqual([500, 500])
    expect((await call(`GET /api/referrals/${id}`, amara)).body.status).toBe('ACTIVE')
    const { body: tasks } = await call<{ status: string }[]>(`GET /api/referrals/${id}/tasks`, amara)
    expect(tasks.map(({ status }) => status)).toEqual(['REQUESTED'])
    const { body: history } = await call<object[]>(`GET /api/referrals/${id}/history`, amara)
    expect(history).toHaveLength(3)
  })
})

describe('a body of another shape', () => {
  it.each([undefined, {}, { status: 'COMPLETED' }, 'text', 7])(
    'is not looked at where none is wanted: %j',
    async (body) => {
      const { id } = await sentReferral(call)
      const held = await call(`POST /api/referrals/${id}/hold`, amara, body)
      expect([held.status, held.body.status]).toEqual([200, 'ONHOLD'])
    },
  )

  it('changes nothing of a task but what the caller may change', async () => {
    const { id, taskId } = await sentReferral(call)
    const inner = { id: 999, referralId: 998, receivingFacilityClientId: 'evil', performerId: 'Organization/evil' }
    const more = {
      createdAt: '2020-01-01T00:00:00Z',
      acceptBy: '2020-01-01T00:00:00Z',
      overdueAt: '2020-01-01T00:00:00Z',
    }
    const { body } = await call(`PATCH /api/referrals/${id}/tasks/${taskId}`, baraka, {
      status: 'RECEIVED',
      ...inner,
      ...more,
    })
    expect(body).toMatchObject({
      id: taskId,
      referralId: id,
      receivingFacilityClientId: 'lakeside-clinic',
      overdueAt: null,
    })
    const after = await call<Record<string, unknown>>(`GET /api/referrals/${id}`, amara)
    expect(after.body).toMatchObject({ status: 'ACTIVE', performerId: 'Organization/lakeside-clinic' })
  })

  it.each(['id', 'status', 'patientId', 'createdBy', 'consentVerified', 'version'])(
    'changes nothing through %s when a referral is re-routed',
    async (field) => {
      const { id, taskId } = await sentReferral(call)
      await call(`PATCH /api/referrals/${id}/tasks/${taskId}`, baraka, { status: 'CANCELLED' })
      const { body: before } = await call<Record<string, unknown>>(`GET /api/referrals/${id}`, amara)
      const receiver = { receivingFacilityClientId: 'far-clinic', [field]: 'changed' }
      const { status, body } = await call<Record<string, unknown>>(`POST /api/referrals/${id}/reroute`, amara, receiver)
      expect(status).toBe(200)
      const kept = ({ id: own, status: state, patientId, createdBy, consentVerified }: Record<string, unknown>) => ({
        ...{ own, state, patientId, createdBy, consentVerified },
      })
      expect(kept(body)).toEqual(kept(before))
    },
  )
})
