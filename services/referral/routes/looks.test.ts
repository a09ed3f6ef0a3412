import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import {
  amara,
  amina,
  baraka,
  kofi,
  leastDraft,
  referralApi,
  type CallApi,
  type Request,
} from '../testing/referral-api.ts'
import { States } from '../testing/referral-states.ts'

let corridor: TestCorridor
let states: States
let call: CallApi
let id: number
beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'referral'], settings: { 'referral.fhirProjection': 'false' } })
  states = await States.of(corridor.databaseUrl)
  call = referralApi(corridor)
  id = (await call('POST /api/referrals', amara, leastDraft)).body.id
})
afterAll(async () => {
  await states[Symbol.asyncDispose]()
  await corridor[Symbol.asyncDispose]()
})

/** What the audit has after what it had before. */
async function written(request: Request, as: typeof amara) {
  await states.database.run(sql`delete from referral.audit_events`)
  const { status } = await call(request, as)
  const rows = await states.database.many(sql`
    select action, subject, referral_id::int as id, patient_id as patient, list, request_id is not null as "hasRequest"
    from referral.audit_events`)
  return [status, ...rows]
}

const look = { action: 'read', patient: 'Patient/amina-diallo', list: null, hasRequest: true }

describe('who reads is written down', () => {
  it.each(['', '/history', '/tasks'] as const)('one referral%s', async (part) => {
    expect(await written(`GET /api/referrals/${id}${part}`, baraka)).toEqual([
      200,
      { ...look, id, subject: 'dr-baraka' },
    ])
  })

  it('what the consent gate would say', async () => {
    expect(await written(`GET /api/referrals/${id}/gate`, amara)).toEqual([
      200,
      { ...look, action: 'gate', id, subject: 'dr-amara' },
    ])
  })

  it('also the patient', async () => {
    expect(await written(`GET /api/referrals/${id}`, amina)).toEqual([200, { ...look, id, subject: 'amina-diallo' }])
  })

  it('who revokes what is revoked, and so only reads it', async () => {
    const { body } = await call('POST /api/referrals', amara, leastDraft)
    await call(`POST /api/referrals/${body.id}/revoke`, amara)
    expect(await written(`POST /api/referrals/${body.id}/revoke`, amara)).toEqual([
      200,
      { ...look, id: body.id, subject: 'dr-amara' },
    ])
  })

  it('but not who is shown nothing', async () => {
    expect(await written(`GET /api/referrals/${id}`, kofi)).toEqual([404])
    expect(await written('GET /api/referrals/inbox', amara)).toEqual([400])
  })

  it.each<[Request, string | null, string]>([
    ['GET /api/referrals/my-referrals', null, 'mine'],
    ['GET /api/referrals/patient/amina-diallo', 'Patient/amina-diallo', 'patient'],
    ['GET /api/referrals/inbox?performerId=Organization/o1', null, 'inbox Organization/o1'],
    ['GET /api/referrals/inbox?receivingFacilityClientId=far-clinic', null, 'inbox far-clinic'],
  ])('a list, once: %s', async (request, patient, list) => {
    const row = { action: 'list', subject: 'dr-amara', id: null, patient, list, hasRequest: true }
    expect(await written(request, amara)).toEqual([200, row])
  })
})
