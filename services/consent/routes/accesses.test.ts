import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemIds } from '../../../packages/clock/ids.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase, type Database, type Transaction } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import type { TokenWish } from '../../../packages/testkit/tokens.ts'
import { admin, clinician, ConsentClient, patient, stranger } from '../testing/consent-client.ts'

let corridor: TestCorridor
let consents: ConsentClient
let database: Database
beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'consent'] })
  consents = new ConsentClient(corridor)
  database = await openDatabase({ url: corridor.databaseUrl, poolMax: 1, log: silentLog })
})
afterAll(async () => {
  await database.close()
  await corridor[Symbol.asyncDispose]()
})

const own = 'Patient/amina-diallo'
const permit = { patientId: own, provisionType: 'permit', organisationId: 'Organization/seen' }

describe('in the trail is, as soon as it is answered,', () => {
  it('who made, changed and revoked a record', async () => {
    const { id } = (await consents.post('', clinician, permit)).body
    await consents.put(`/${id}`, admin, { note: 'another' })
    await consents.post(`/${id}/revoke`, clinician)
    expect(await accessesTo(id)).toEqual([
      { outcome: 'CREATED', subject: 'dr-amara', patientId: own },
      { outcome: 'CHANGED', subject: 'admin', patientId: own },
      { outcome: 'REVOKED', subject: 'dr-amara', patientId: own },
    ])
  })

  it.each<[string, (id: number) => string, 'GET' | 'PUT' | 'POST']>([
    ['read by its id', (id) => `/${id}`, 'GET'],
    ['read by its FHIR id', (id) => `/fhir/consent-${id}`, 'GET'],
    ['shown as the answer to a change of nothing', (id) => `/${id}`, 'PUT'],
    ['shown as the answer to a second revocation', (id) => `/${id}/revoke`, 'POST'],
  ])('who was shown a record that is %s', async (_how, path, method) => {
    const { id } = (await consents.post('', clinician, permit)).body
    if (method === 'POST') await consents.post(`/${id}/revoke`, clinician)
    await consents.call(method, path(id), { as: admin, ...(method === 'PUT' ? { body: {} } : {}) })
    expect((await accessesTo(id)).at(-1)).toEqual({ outcome: 'SHOWN', subject: 'admin', patientId: own })
  })

  it.each<[string, string, TokenWish, string]>([
    ['a clinician', '/patient/amina-diallo', stranger, 'dr-baraka'],
    ['the patient', '/patient/Patient/amina-diallo?activeOnly=true', patient, 'amina-diallo'],
  ])('who was shown the records of a patient: %s', async (_who, path, as, subject) => {
    const last = await lastShown(path, as)
    expect(last).toMatchObject({ subject, patientId: own, recordId: null, actorReferences: [] })
  })

  it('who was shown the records of an organisation', async () => {
    const last = await lastShown('/admin/org/seen', admin)
    expect(last).toMatchObject({ subject: 'admin', patientId: null, actorReferences: ['Organization/seen'] })
  })

  it('nobody who was shown nothing and changed nothing', async () => {
    const { id } = (await consents.post('', clinician, permit)).body
    const before = await accessesTo(id)
    await consents.get(`/${id}`, stranger)
    await consents.put(`/${id}`, clinician, { note: 'lost' }, { 'if-match': '"9"' })
    await consents.put(`/${id}`, clinician, { patientId: 'Patient/other' })
    expect(await accessesTo(id)).toEqual(before)
  })
})

it('of two who revoke at once, one has revoked it and the other was shown that it is', async () => {
  const { id } = (await consents.post('', clinician, permit)).body
  const answers = await database.transaction(async (tx) => {
    await tx.run(sql`select from consent.records where id = ${id} for update`)
    const revoking = [1, 2].map(() => consents.post(`/${id}/revoke`, clinician))
    await waitFor(async () => (await countWaiting(tx)) === 2, { what: 'two who have read it as active' })
    return { revoking }
  })
  const statuses = (await Promise.all(answers.revoking)).map(({ status, body }) => [status, body['status']])
  expect(statuses).toEqual([1, 2].map(() => [200, 'inactive']))
  const outcomes = (await accessesTo(id)).map(({ outcome }) => outcome)
  expect(outcomes.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(['CREATED', 'REVOKED', 'SHOWN'])
})

/** A transaction sees the activity of the moment at which it first looked, unless that is forgotten. */
async function countWaiting(tx: Transaction): Promise<number> {
  await tx.run(sql`select pg_stat_clear_snapshot()`)
  const { count } = await tx.one<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return count
}

it('changes at the same moment, by whomever, leave one whole chain', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => consents.post('', clinician, permit)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  const rows = await Promise.all(answers.map(({ body }) => accessesTo(body.id)))
  expect(rows.map((row) => row.map(({ outcome }) => outcome))).toEqual(answers.map(() => ['CREATED']))
  expect((await consents.get('/admin/audit/verify', admin)).body).toMatchObject({ broken: [] })
})

it('looks and changes are no decisions', async () => {
  const before = (await consents.get('/admin/stats', admin)).body['totalDecisions']
  const { id } = (await consents.post('', clinician, permit)).body
  await consents.get(`/${id}`, clinician)
  expect((await consents.get('/admin/stats', admin)).body['totalDecisions']).toBe(before)
})

it('nothing is shown and nothing changed where that cannot be written down', async () => {
  const { id } = (await consents.post('', clinician, permit)).body
  await database.run(sql`alter table consent.audit_events add constraint full_up check (false) not valid`)
  const answers = [
    await consents.get(`/${id}`, clinician),
    await consents.get('/patient/amina-diallo', clinician),
    await consents.put(`/${id}`, clinician, { note: 'unseen' }),
  ]
  await database.run(sql`alter table consent.audit_events drop constraint full_up`)
  expect(answers.map(({ status }) => status >= 500)).toEqual([true, true, true])
  expect((await consents.get(`/${id}`, clinician)).body).toMatchObject({ note: null })
})

const accessesTo = (recordId: number) =>
  database.many<{ outcome: string; subject: string; patientId: string }>(sql`
    select outcome, subject, patient_id as "patientId" from consent.audit_events
    where event = 'access' and record_id = ${recordId} order by at, position`)

async function lastShown(path: string, as: TokenWish) {
  const headers = { 'x-request-id': systemIds.uuid() }
  expect((await consents.call('GET', path, { as, headers })).status).toBe(200)
  return database.one(sql`
    select outcome, subject, patient_id as "patientId", record_id as "recordId",
      actor_references as "actorReferences" from consent.audit_events
    where event = 'access' and request_id = ${headers['x-request-id']}`)
}
