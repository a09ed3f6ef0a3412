import { expect, it } from 'vitest'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import { MovedClock } from '../../packages/testkit/moved-clock.ts'
import { testCorridor } from '../../packages/testkit/test-corridor.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { admin, ConsentClient } from './testing/consent-client.ts'

it('the settings of the service reach decisions, audit and alerts', async () => {
  await using corridor = await testCorridor({
    services: ['auth', 'consent'],
    // Patients are counted by the ten minutes of the clock, and the next ones must not begin in between.
    clock: new MovedClock(new Date()),
    settings: {
      'consent.implicitPolicy': 'permit-treatment',
      'consent.timeZone': 'Asia/Kolkata',
      'consent.auditBeforeAnswer': 'true',
      'consent.enumerationPatientsMax': '3',
      'consent.enumerationExemptClients': 'svc-importer',
    },
  })
  const consents = new ConsentClient(corridor)
  const ask = (patientId: string, purposeOfUse = 'TREATMENT') =>
    consents.evaluate({ patientId, actorReference: 'Device/x', resourceType: 'Patient', purposeOfUse })
  expect((await ask('p1')).body).toMatchObject({ permitted: true, consentRecordId: null, provisionType: 'permit' })
  expect((await ask('p1', 'RESEARCH')).body.permitted).toBe(false)
  expect((await ask('kofi-mensah')).body.permitted).toBe(false)
  const then = { patientId: 'p1', actorReference: 'Device/x', resourceType: 'Patient', asOf: '2026-01-01' }
  expect((await consents.evaluate(then, admin)).status).toBe(200)

  const database = await openDatabase({ url: corridor.databaseUrl, poolMax: 1, log: silentLog })
  const { body } = await ask('p2')
  expect(
    await database.many(sql`select from consent.audit_events where decision_id = ${body['decisionId']}`),
  ).toHaveLength(1)
  await database.close()

  await ask('p3')
  await waitFor(() => corridor.log.events('enumeration suspected').length === 1, { what: 'the alert' })
  const metrics = await (await fetch(`${corridor.url('consent')}/actuator/prometheus`)).text()
  expect(metrics).toMatch(/corridor_consent_enumeration_alerts_total 1/)
})

it('a decision is not given where its audit row must come first and the database refuses it', async () => {
  await using corridor = await testCorridor({
    services: ['auth', 'consent'],
    settings: { 'consent.implicitPolicy': 'permit-treatment', 'consent.auditBeforeAnswer': 'true' },
  })
  const consents = new ConsentClient(corridor)
  const ask = () => consents.evaluate({ patientId: 'p1', actorReference: 'Device/x', resourceType: 'Patient' })
  const database = await openDatabase({ url: corridor.databaseUrl, poolMax: 1, log: silentLog })
  await database.run(sql`alter table consent.audit_events add constraint full_up check (false) not valid`)
  const { status, body } = await ask()
  expect([status, body['permitted']]).toEqual([503, undefined])
  await database.run(sql`alter table consent.audit_events drop constraint full_up`)
  await database.close()
  expect((await ask()).body.permitted).toBe(true)
})

it('a stop writes down every call that was answered', async () => {
  await using corridor = await testCorridor({ services: ['auth', 'consent'] })
  const consents = new ConsentClient(corridor)
  const question = { patientId: 'p1', actorReference: 'Device/x', resourceType: 'Patient' }
  const answers = await Promise.all(Array.from({ length: 60 }, () => consents.evaluate(question)))
  await corridor.stop()
  const database = await openDatabase({ url: corridor.databaseUrl, poolMax: 1, log: silentLog })
  const rows = await database.many<{ id: string }>(sql`select decision_id as id from consent.audit_events`)
  await database.close()
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(answers.map(({ body }) => body['decisionId'])))
})

it('a zone that does not exist stops the start', async () => {
  const start = testCorridor({ services: ['auth', 'consent'], settings: { 'consent.timeZone': 'Mars/Olympus' } })
  await expect(start).rejects.toThrow('consent.timeZone must be a time zone such as Africa/Nairobi')
})
