import { afterAll, beforeAll, expect, it } from 'vitest'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase, type Database } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { clinician, ConsentClient } from '../../services/consent/testing/consent-client.ts'
import { AppVisitor } from '../../services/immunization/testing/app-visitor.ts'

let corridor: TestCorridor
let database: Database
let id: number
beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'fhir', 'consent'] })
  database = await openDatabase({ url: corridor.databaseUrl, poolMax: 1, log: silentLog })
  const terms = { patientId: 'amina-diallo', provisionType: 'permit' }
  id = (await new ConsentClient(corridor).post('', clinician, terms)).body.id
})
afterAll(async () => {
  await database.close()
  await corridor[Symbol.asyncDispose]()
})

it.each<[string, string, (record: number) => string, object]>([
  ['the timeline of a patient', 'clinician', () => '/patients/amina-diallo', { patient: 'Patient/amina-diallo' }],
  ['their own consents', 'patient', () => '/', { patient: 'Patient/amina-diallo' }],
  ['a consent to change', 'clinician', (record) => `/consents/${record}/change`, { isRecord: true }],
  ['a consent to revoke', 'clinician', (record) => `/consents/${record}/revoke`, { isRecord: true }],
  [
    'the records of an organisation',
    'admin',
    () => '/admin/records?organisation=Organization/central-hospital',
    { of: ['Organization/central-hospital'] },
  ],
])('whoever is shown %s on a page is on the trail: %s', async (_what, person, path, shown) => {
  const visitor = new AppVisitor(corridor)
  await visitor.signIn(person)
  const before = (await accesses()).length
  const { status } = await visitor.follow(await visitor.get(`${corridor.url('consent')}${path(id)}`))
  expect(status).toBe(200)
  expect((await accesses()).slice(before)).toMatchObject([{ outcome: 'SHOWN', ...shown }])
})

const accesses = () =>
  database.many(sql`
    select outcome, patient_id as patient, record_id = ${id} as "isRecord", actor_references as "of"
    from consent.audit_events where event = 'access' order by at`)
