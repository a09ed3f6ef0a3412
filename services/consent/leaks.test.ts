import { expect, it } from 'vitest'
import { assertNoCanaries } from '../../packages/testkit/find-canaries.ts'
import { makeCanaries } from '../../packages/testkit/log-canaries.ts'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import { testCorridor } from '../../packages/testkit/test-corridor.ts'
import { admin, clinician, ConsentClient, stranger, system } from './testing/consent-client.ts'

it('no name, note, reason or token reaches a log, a metric, an error or the audit trail', async () => {
  const canaries = makeCanaries(5)
  await using corridor = await testCorridor({ services: ['auth', 'consent'] })
  const consents = new ConsentClient(corridor)
  const note = canaries.one('note')
  const name = canaries.one('name')
  const nationalId = canaries.one('national id')
  const token = canaries.one('token')
  const made = await consents.post('', clinician, {
    ...{ patientId: nationalId, provisionType: 'permit', note, regulatoryBasis: canaries.one('address') },
  })
  const path = `/${made.body.id}`
  const encoded = encodeURIComponent
  const errors = [
    await consents.post('', clinician, { patientId: name, provisionType: name, note, actorReference: note }),
    await consents.post('', clinician, {
      patientId: name,
      provisionType: 'permit',
      scopeValues: [note],
      resourceClasses: [name],
    }),
    await consents.call('POST', '', { as: clinician, raw: `{"note":"${name}` }),
    await consents.put(path, clinician, { patientId: canaries.one('national id', 1), note: 7 }),
    await consents.put(path, stranger, { note }),
    await consents.put(path, clinician, { note }, { 'if-match': `"${canaries.one('code')}"` }),
    await consents.call('GET', path, { headers: { authorization: `Bearer ${token}` } }),
    await consents.get(`/patient/${encoded(name)}`, clinician),
    await consents.get(`/fhir/${encoded(name)}`, clinician),
    await consents.post(`${path}/revoke?reason=${encoded(note.repeat(20))}`, clinician),
    await consents.call('POST', `/evaluate?patientId=${encoded(name)}&actorReference=${encoded(note)}`, { as: system }),
    await consents.call('POST', `/evaluate?patientId=${encoded(name)}`, {
      headers: { authorization: `Bearer ${token}` },
    }),
    await consents.get(`/admin/org/${encoded(canaries.one('address'))}`, admin),
  ]
  expect(errors.map(({ status }) => status)).toEqual([400, 400, 400, 400, 404, 409, 401, 400, 404, 400, 400, 401, 400])
  await consents.evaluate({ patientId: nationalId, actorReference: 'Device/x', resourceType: 'Patient' })
  await consents.post(`${path}/revoke?reason=${encoded(canaries.one('note', 1))}`, clinician)
  expect((await consents.get('/admin/stats', admin)).status).toBe(200)

  const metrics = await (await fetch(`${corridor.url('consent')}/actuator/prometheus`)).text()
  expect(metrics).toContain('corridor_consent_decisions_total')
  for (const where of [metrics, errors.map(({ text }) => text), corridor.log.lines]) assertNoCanaries(where, canaries)

  const database = await openDatabase({ url: corridor.databaseUrl, poolMax: 1, log: silentLog })
  const trail = await database.many<object>(sql`select * from consent.audit_events`)
  await database.close()
  // The trail knows patients by their ids, and nothing else of them.
  assertNoCanaries(JSON.stringify(trail).replaceAll(nationalId, ''), canaries)
})
