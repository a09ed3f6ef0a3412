import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import type { TokenWish } from '../../../packages/testkit/token-claims.ts'
import {
  admin,
  amara,
  amina,
  baraka,
  chidi,
  fullDraft,
  kofi,
  leastDraft,
  plainClinician,
  referralApi,
  system,
  type AnyBody,
  type CallApi,
  type Request,
} from '../testing/referral-api.ts'

let corridor: TestCorridor
let call: CallApi
beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'referral'], settings: { 'referral.fhirProjection': 'false' } })
  call = referralApi(corridor)
})
afterAll(() => corridor[Symbol.asyncDispose]())

/** Every endpoint with what its body would be, and the roles that the specification opens it to. */
const endpoints: readonly (readonly [Request, unknown, readonly string[]])[] = [
  ['POST /api/referrals', leastDraft, ['CLINICIAN', 'ADMIN']],
  ['GET /api/referrals/ID', undefined, ['CLINICIAN', 'ADMIN', 'PATIENT']],
  ['GET /api/referrals/my-referrals', undefined, ['CLINICIAN', 'ADMIN']],
  ['GET /api/referrals/patient/amina-diallo', undefined, ['CLINICIAN', 'ADMIN', 'PATIENT']],
  ['GET /api/referrals/patient/Patient/amina-diallo', undefined, ['CLINICIAN', 'ADMIN', 'PATIENT']],
  ['GET /api/referrals/inbox?performerId=Organization/lakeside-clinic', undefined, ['CLINICIAN', 'ADMIN']],
  ['POST /api/referrals/ID/send', undefined, ['CLINICIAN', 'ADMIN']],
  ['PATCH /api/referrals/ID/tasks/TASK', { status: 'RECEIVED' }, ['CLINICIAN', 'ADMIN']],
  ['POST /api/referrals/ID/revoke', undefined, ['CLINICIAN', 'ADMIN']],
  ['POST /api/referrals/ID/hold', undefined, ['CLINICIAN', 'ADMIN']],
  ['POST /api/referrals/ID/resume', undefined, ['CLINICIAN', 'ADMIN']],
  ['GET /api/referrals/ID/tasks', undefined, ['CLINICIAN', 'ADMIN']],
  ['GET /api/referrals/stats', undefined, ['ADMIN']],
  ['GET /api/referrals/ID/history', undefined, ['CLINICIAN', 'ADMIN', 'PATIENT']],
  ['GET /api/referrals/ID/gate', undefined, ['CLINICIAN', 'ADMIN']],
  ['PUT /api/referrals/ID', leastDraft, ['CLINICIAN', 'ADMIN']],
  ['POST /api/referrals/ID/reroute', { receivingFacilityClientId: 'hill-hospital' }, ['CLINICIAN', 'ADMIN']],
]

const people: Readonly<Record<string, TokenWish>> = { CLINICIAN: amara, ADMIN: admin, PATIENT: amina, SYSTEM: system }

describe('every endpoint', () => {
  it.each(endpoints.flatMap((endpoint) => Object.keys(people).map((role) => [...endpoint, role] as const)))(
    '%s with %j is open to %j: as %s',
    async (template, body, open, role) => {
      const { path } = await sentReferral(template)
      const { status, body: answer } = await call(path, people[role], body)
      // What an open door then says of the state is told elsewhere.
      const verdict = [200, 201, 422].includes(status) ? 'open' : [status, answer.code]
      expect(verdict).toEqual(open.includes(role) ? 'open' : [403, 'FORBIDDEN'])
    },
  )

  it.each(endpoints)('%s wants a good token', async (template, body) => {
    const { path } = await sentReferral(template)
    const without = await call(path, undefined, body)
    expect([without.status, without.body.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(without.headers.get('www-authenticate')).toContain('Bearer')
    const expired = await call(path, { role: 'ADMIN', expiresInSeconds: -600 }, body)
    expect([expired.status, expired.body.code]).toEqual([401, 'UNAUTHORIZED'])
    const elsewhere = await call(path, { role: 'ADMIN', audience: 'another-service' }, body)
    expect(elsewhere.status).toBe(401)
  })

  it.each(endpoints.filter(([template]) => template.includes('ID')))(
    '%s knows no referral but those that exist',
    async (template, body) => {
      for (const id of ['999999999', '0', 'abc', '1.5', '-1', '99999999999999999999', '%00', '1;drop']) {
        const path = template.replace('ID', id).replace('TASK', '1') as Request
        const { status, body: answer } = await call(path, admin, body)
        expect([path, status, answer.code]).toEqual([path, 404, 'NOT_FOUND'])
      }
    },
  )
})

describe('a patient', () => {
  it('sees own referrals, and for others the same answer as for none', async () => {
    const { id } = await sentReferral('GET /api/referrals/ID')
    expect((await call(`GET /api/referrals/${id}`, amina)).body).toMatchObject({ id, availableActions: [] })
    const others = await call(`GET /api/referrals/${id}`, kofi)
    const missing = await call('GET /api/referrals/999999999', kofi)
    expect([others.status, missing.status]).toEqual([404, 404])
    expect({ ...others.body, timestamp: '' }).toEqual({ ...missing.body, timestamp: '' })
    expect((await call(`GET /api/referrals/${id}/history`, kofi)).status).toBe(404)
  })

  it('lists own referrals by id or reference and nobody else’s', async () => {
    await sentReferral('GET /api/referrals/ID')
    const roads: Request[] = [
      'GET /api/referrals/patient/amina-diallo',
      'GET /api/referrals/patient/Patient%2Famina-diallo',
      'GET /api/referrals/patient/Patient/amina-diallo',
    ]
    for (const road of roads) {
      const own = await call<AnyBody[]>(road, amina)
      expect([own.status, own.body.length > 0]).toEqual([200, true])
      expect((await call(road, { ...amina, subject: 'Patient/amina-diallo' })).body).toEqual(own.body)
      expect((await call(road, kofi)).body).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    }
  })

  it.each(['RelatedPerson', 'Person', 'Practitioner'])(
    'is not a %s who has the same id: they get the answers of a stranger',
    async (type) => {
      const { id } = await sentReferral('GET /api/referrals/ID')
      const namesake = { ...amina, fhirUser: `${type}/amina-diallo` }
      for (const road of ['', '/history'] as const) {
        const others = await call(`GET /api/referrals/${id}${road}`, namesake)
        const missing = await call(`GET /api/referrals/999999999${road}`, namesake)
        expect([others.status, missing.status]).toEqual([404, 404])
        expect({ ...others.body, timestamp: '' }).toEqual({ ...missing.body, timestamp: '' })
      }
      const listed = await call('GET /api/referrals/patient/amina-diallo', namesake)
      expect(listed.body).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    },
  )
})

describe('the parties of a referral', () => {
  it.each([
    ['the requester', amara, 200],
    ['the receiver', baraka, 200],
    ['an administrator', admin, 200],
    ['a token with a role and a subject alone', plainClinician, 200],
    ['a third facility', chidi, 403],
  ] as const)('%s may act', async (_name, who, status) => {
    const { id, taskId } = await sentReferral('GET /api/referrals/ID')
    const seen = await call(`GET /api/referrals/${id}`, who)
    expect(seen.status).toBe(200)
    expect(seen.body.availableActions).toEqual(status === 200 ? ['hold', 'revoke'] : [])
    expect((await call(`PATCH /api/referrals/${id}/tasks/${taskId}`, who, { status: 'RECEIVED' })).status).toBe(status)
    expect((await call(`POST /api/referrals/${id}/hold`, who)).status).toBe(status)
  })

  it('are held to their own steps by the strict rule', async () => {
    await using strict = await testCorridor({
      services: ['auth', 'referral'],
      settings: { 'referral.fhirProjection': 'false', 'referral.partyRules': 'strict' },
    })
    const ask = referralApi(strict)
    const { body: draft } = await ask('POST /api/referrals', amara, fullDraft)
    expect((await ask(`POST /api/referrals/${draft.id}/send`, baraka)).status).toBe(403)
    expect((await ask(`POST /api/referrals/${draft.id}/send`, amara)).status).toBe(200)
    const { body: tasks } = await ask<AnyBody[]>(`GET /api/referrals/${draft.id}/tasks`, amara)
    const task = `/api/referrals/${draft.id}/tasks/${tasks[0]?.id}` as const
    expect(tasks[0]?.availableActions).toEqual(['CANCELLED'])
    expect((await ask(`PATCH ${task}`, amara, { status: 'RECEIVED' })).status).toBe(403)
    expect((await ask(`PATCH ${task}`, baraka, { status: 'RECEIVED' })).status).toBe(200)
    expect((await ask(`POST /api/referrals/${draft.id}/revoke`, baraka)).status).toBe(403)
    expect((await ask(`PATCH ${task}`, amara, { status: 'CANCELLED' })).status).toBe(200)
  })
})

async function sentReferral(template: Request) {
  const { body: draft } = await call('POST /api/referrals', amara, fullDraft)
  await call(`POST /api/referrals/${draft.id}/send`, amara)
  const { body: tasks } = await call<AnyBody[]>(`GET /api/referrals/${draft.id}/tasks`, amara)
  const taskId = tasks[0]?.id
  // Sound: numbers in the places of names keep the form of a request.
  const path = template.replace('ID', String(draft.id)).replace('TASK', String(taskId)) as Request
  return { id: draft.id, taskId, path }
}
