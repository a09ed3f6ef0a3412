import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemIds } from '../../../packages/clock/ids.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { admin, clinician, ConsentClient, system } from '../testing/consent-client.ts'

let corridor: TestCorridor
let consents: ConsentClient
let database: Database
let readerId: number
beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'consent'] })
  consents = new ConsentClient(corridor)
  database = await openDatabase({ url: corridor.databaseUrl, poolMax: 2, log: silentLog })
  const made = await consents.post('', clinician, {
    patientId: 'p1',
    provisionType: 'permit',
    actorReference: 'Organization/reader',
    scopeValues: ['patient/Observation.rs'],
    regulatoryBasis: 'Act 5',
  })
  readerId = made.body.id
})
afterAll(async () => {
  await database.close()
  await corridor[Symbol.asyncDispose]()
})

const read = { patientId: 'Patient/p1', actorReference: 'Organization/reader', resourceType: 'Observation' }

it('is asked with POST: the word is not the id of a record', async () => {
  for (const method of ['GET', 'PUT']) {
    const answer = await fetch(`${corridor.url('consent')}/api/consent/evaluate`, {
      method,
      headers: { authorization: await corridor.bearerFor(system) },
    })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  }
})

describe('an evaluation', () => {
  it('answers with the decision, its record, its reason and its legal basis', async () => {
    const answer = await consents.evaluate({ ...read, fhirOperation: 'READ' })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      permitted: true,
      provisionType: 'permit',
      consentRecordId: readerId,
      reason: expect.stringContaining(`permitted by consent record ${readerId}`),
      regulatoryBasis: 'Act 5',
      outcome: 'PERMIT',
      decisionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      evaluatedAt: expect.stringMatching(/Z$/),
    })
  })

  it.each([
    ['READ', { fhirOperation: 'READ' }, true],
    ['search in lower case', { fhirOperation: 'search' }, true],
    ['CREATE', { fhirOperation: 'CREATE' }, false],
    ['nothing, which is READ', {}, true],
    ['GET', { httpMethod: 'GET' }, true],
    ['post in lower case', { httpMethod: 'post' }, false],
    ['PUT', { httpMethod: 'PUT' }, false],
    ['PATCH', { httpMethod: 'PATCH' }, false],
    ['DELETE', { httpMethod: 'DELETE' }, false],
    ['an operation before a method', { fhirOperation: 'READ', httpMethod: 'DELETE' }, true],
    ['a method that would permit beside an operation', { fhirOperation: 'DELETE', httpMethod: 'GET' }, false],
    ['a purpose of its own', { purposeOfUse: 'X-LOCAL' }, true],
    ['a bare patient id', { patientId: 'p1' }, true],
    ['several actors', { actorReference: ['Device/none', 'Organization/reader'] }, true],
    ['another actor', { actorReference: 'Device/none' }, false],
  ])('of %s', async (_what, given, permitted) => {
    const answer = await consents.evaluate({ ...read, ...given })
    expect(answer.status).toBe(200)
    expect(answer.body.permitted).toBe(permitted)
  })

  it.each([
    ['no patient', { patientId: '' }, 'patientId'],
    ['a patient of another type', { patientId: 'Group/x' }, 'patientId'],
    ['an empty actor', { actorReference: '' }, 'actorReference'],
    ['an actor with a space', { actorReference: 'Device/a b' }, 'actorReference'],
    ['an actor of a type that no record can name', { actorReference: 'Practitioner/reader' }, 'actorReference'],
    ['an actor of a misspelt type', { actorReference: 'Organisation/reader' }, 'actorReference'],
    ['an actor of no type', { actorReference: 'reader' }, 'actorReference'],
    ['a misspelt actor beside one that is right', { actorReference: ['Device/none', 'reader'] }, 'actorReference'],
    ['too many actors', { actorReference: Array.from({ length: 11 }, (_, n) => `Device/${n}`) }, 'actorReference'],
    ['an unknown resource type', { resourceType: 'Foo' }, 'resourceType'],
    ['an unknown operation', { fhirOperation: 'PURGE' }, 'fhirOperation'],
    ['an unknown operation beside a method', { fhirOperation: 'PURGE', httpMethod: 'GET' }, 'fhirOperation'],
    ['an unknown method beside an operation', { fhirOperation: 'READ', httpMethod: 'OPTIONS' }, 'httpMethod'],
    ['a purpose that is no word', { purposeOfUse: 'a b' }, 'purposeOfUse'],
    ['a long purpose', { purposeOfUse: 'x'.repeat(65) }, 'purposeOfUse'],
    ['a patient twice', { patientId: ['p1', 'p2'] }, 'patientId'],
  ])('with %s is refused and the parameter named', async (_what, given, path) => {
    const answer = await consents.evaluate({ ...read, ...given })
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map((error) => error.path.replace(/\[.*/, ''))).toContain(path)
  })

  it('names every missing parameter', async () => {
    const answer = await consents.evaluate({})
    expect(answer.body.errors.map(({ path }) => path)).toEqual(['patientId', 'actorReference', 'resourceType'])
  })

  it('names what is missing and what is wrong in one answer', async () => {
    const answer = await consents.evaluate({ patientId: 'p 1', fhirOperation: 'PURGE', purposeOfUse: 'a b' })
    const paths = answer.body.errors.map(({ path }) => path)
    expect(paths).toEqual(['actorReference', 'resourceType', 'patientId', 'purposeOfUse', 'fhirOperation'])
  })

  it('notices a new opt-out and a revocation at once', async () => {
    const of = { ...read, patientId: 'Patient/minds-change' }
    const { body: permit } = await consents.post('', clinician, { patientId: of.patientId, provisionType: 'permit' })
    expect((await consents.evaluate(of)).body.permitted).toBe(true)
    const { body: deny } = await consents.post('', clinician, { patientId: of.patientId, provisionType: 'deny' })
    expect((await consents.evaluate(of)).body).toMatchObject({ permitted: false, consentRecordId: deny.id })
    await consents.post(`/${deny.id}/revoke`, clinician)
    expect((await consents.evaluate(of)).body).toMatchObject({ permitted: true, consentRecordId: permit.id })
    await consents.post(`/${permit.id}/revoke`, clinician)
    expect((await consents.evaluate(of)).body.permitted).toBe(false)
  })

  it('as of another day is for administrators, and knows who was active then', async () => {
    const of = { ...read, patientId: 'Patient/past' }
    const { body } = await consents.post('', clinician, { patientId: of.patientId, provisionType: 'permit' })
    await consents.post(`/${body.id}/revoke`, clinician)
    await database.run(sql`
      update consent.records set created_at = '2026-01-10T12:00:00Z', revoked_at = '2026-02-10T12:00:00Z'
      where id = ${body.id}`)
    const asOf = async (day: string) => (await consents.evaluate({ ...of, asOf: day }, admin)).body.permitted
    expect(await asOf('2026-01-09')).toBe(false)
    expect(await asOf('2026-01-10')).toBe(true)
    expect(await asOf('2026-02-09')).toBe(true)
    expect(await asOf('2026-02-10')).toBe(false)
    expect((await consents.evaluate({ ...of, asOf: '2026-01-10' }, system)).status).toBe(403)
    expect((await consents.evaluate({ ...of, asOf: 'yesterday' }, admin)).status).toBe(400)
  })
})

describe('the demo', () => {
  it.each([
    ['Organization/central-hospital', 'Patient/amina-diallo', 'UPDATE', 'TREATMENT', true],
    ['Organization/lakeside-clinic', 'Patient/amina-diallo', 'SEARCH', 'TREATMENT', true],
    ['Organization/lakeside-clinic', 'Patient/amina-diallo', 'READ', 'RESEARCH', false],
    ['Organization/elsewhere', 'Patient/amina-diallo', 'READ', 'TREATMENT', false],
    ['Organization/central-hospital', 'Patient/kofi-mensah', 'READ', 'TREATMENT', false],
  ])('lets %s with %s %s for %s: %s', async (actorReference, patientId, fhirOperation, purposeOfUse, permitted) => {
    const question = { patientId, actorReference, resourceType: 'Patient', fhirOperation, purposeOfUse }
    expect((await consents.evaluate(question)).body.permitted).toBe(permitted)
  })
})

describe('every call is audited', () => {
  const auditOf = (requestId: string) =>
    waitFor(
      async () =>
        (
          await database.many(sql`
            select event, outcome, subject, client_id, peer is not null as has_peer, patient_id, actor_references,
              resource_type, operation, purpose_of_use, record_id, decision_id
            from consent.audit_events where request_id = ${requestId}`)
        )[0],
      { what: 'the audit row' },
    )

  const query = new URLSearchParams({ ...read, fhirOperation: 'READ' }).toString()
  const asked = { patient_id: 'Patient/p1', actor_references: ['Organization/reader'], resource_type: 'Observation' }
  const knownAsker = { subject: 'client:svc-bridge', client_id: 'svc-bridge', has_peer: true }

  it.each([
    [
      'answered',
      query,
      { as: system },
      { ...asked, ...knownAsker, outcome: 'PERMIT', operation: 'READ', purpose_of_use: 'TREAT' },
    ],
    [
      'denied',
      `${query}&purposeOfUse=RESEARCH`.replace('READ', 'DELETE'),
      { as: system },
      { ...asked, outcome: 'NO_CONSENT', operation: 'DELETE', purpose_of_use: 'HRESCH' },
    ],
    ['forbidden', query, { as: clinician }, { ...asked, subject: 'dr-amara', outcome: 'FORBIDDEN', decision_id: null }],
    [
      'without a token',
      query,
      {},
      { ...asked, subject: null, client_id: null, has_peer: true, outcome: 'UNAUTHENTICATED' },
    ],
    ['malformed', `${query}&httpMethod=X`, { as: system }, { ...asked, ...knownAsker, outcome: 'MALFORMED' }],
    [
      'with a name for an id',
      'patientId=Amina%20Diallo&actorReference=a%20b&resourceType=x',
      { as: system },
      { patient_id: null, actor_references: [], resource_type: null, outcome: 'MALFORMED' },
    ],
    ['without anything', '', { as: admin }, { patient_id: null, outcome: 'MALFORMED', subject: 'admin' }],
  ])('%s', async (_what, parameters, call, row) => {
    const requestId = systemIds.uuid()
    await consents.call('POST', `/evaluate?${parameters}`, { ...call, headers: { 'x-request-id': requestId } })
    expect(await auditOf(requestId)).toMatchObject({ event: 'evaluation', ...row })
  })

  it('and counted: the trail has one row a call, the statistics one decision an answer', async () => {
    const stats = async () => (await consents.get('/admin/stats', admin)).body
    const rows = async () => {
      await stats() // waits for what is not yet written
      return Number((await database.one<{ count: string }>(sql`select count(*) from consent.audit_events`)).count)
    }
    const [before, rowsBefore] = [await stats(), await rows()]
    await Promise.all([
      ...Array.from({ length: 30 }, () => consents.evaluate(read)),
      ...Array.from({ length: 5 }, () => consents.evaluate(read, clinician)),
      ...Array.from({ length: 5 }, () => consents.evaluate({})),
    ])
    expect((await rows()) - rowsBefore).toBe(40)
    expect(await stats()).toEqual({ ...before, totalDecisions: Number(before['totalDecisions']) + 30 })
    expect((await consents.get('/admin/audit/verify', admin)).body).toMatchObject({ broken: [], chains: 2 })
  })
})
