import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds, systemRandom } from '../../packages/clock/ids.ts'
import { makeOutbound, type Outbound } from '../../packages/http/outbound/outbound.ts'
import { ServiceToken } from '../../packages/http/outbound/service-token.ts'
import { silentLog } from '../../packages/log/log.ts'
import { Metrics } from '../../packages/metrics/metrics.ts'
import { openDatabase, type Database } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { serviceCaller } from '../../packages/tokens/service-caller.ts'
import type { Consent } from '../../ports/consent/consent.ts'
import { consentContract } from '../../ports/consent/contract.ts'
import { httpConsent } from '../../ports/consent/http-consent.ts'
import { inProcessConsent } from '../../ports/consent/in-process-consent.ts'
import { unavailableConsent } from '../../ports/consent/unavailable-consent.ts'
import type { ConsentDeps } from './deps.ts'
import { evaluatorFor } from './in-process.ts'
import { consentDeps } from './service.ts'
import { clinician, ConsentClient } from './testing/consent-client.ts'

/** Who answers late has not answered: that is shown with a clock of its own, and must not be met here by chance. */
const deadlineMs = 25_000

let corridor: TestCorridor
let outbound: Outbound
let database: Database
let deps: ConsentDeps
let overHttp: Consent
let inProcess: Consent
beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'consent'] })
  const base = corridor.url('consent')
  const metrics = new Metrics()
  const common = { clock: systemClock, log: silentLog, metrics }
  outbound = makeOutbound({
    origins: [base, corridor.url('auth')],
    deadlineMs,
    responseBytesMax: 100_000,
    ...common,
  })
  const tokenUrl = `${corridor.url('auth')}/oauth2/token`
  const token = new ServiceToken({ ...common, outbound, tokenUrl, clientId: 'svc-bridge', clientSecret: 'demo' })
  overHttp = httpConsent({ base, outbound, token, deadlineMs })
  database = await openDatabase({ url: corridor.databaseUrl, poolMax: 2, log: silentLog })
  deps = await consentDeps(corridor.configuration.consent, {
    ...{
      mode: 'demo',
      ids: systemIds,
      random: systemRandom,
      database,
      outbound,
      signingKeys: undefined,
      addresses: {},
      neighbours: {},
      graceMs: (wantedMs) => wantedMs,
    },
    ...common,
  })
  inProcess = inProcessConsent({
    evaluate: evaluatorFor(serviceCaller({ clientId: 'svc-referral', scope: '' }), deps),
    clock: systemClock,
    deadlineMs,
  })
  const consents = new ConsentClient(corridor)
  await consents.post('', clinician, {
    ...{ patientId: 'p1', provisionType: 'permit', actorReference: 'Organization/asker' },
    scopeValues: ['patient/Observation.rs'],
  })
})
afterAll(async () => {
  await deps.audit.close()
  await database.close()
  await outbound.close()
  await corridor[Symbol.asyncDispose]()
})

const recorded = {
  patientId: 'Patient/p1',
  actorReference: 'Organization/asker',
  optedOutPatientId: 'Patient/kofi-mensah',
}

consentContract('the HTTP', () => ({ port: overHttp, ...recorded }))
consentContract('the in-process', () => ({ port: inProcess, ...recorded }))
consentContract('the unavailable', () => ({ port: unavailableConsent, ...recorded }), { reaches: false })

it('a question from the same process is audited as one from outside is', async () => {
  const question = { patientId: 'p1', actorReferences: ['Device/audited'], resourceType: 'Observation' }
  await inProcess.evaluate({ ...question, fhirOperation: 'READ' })
  await inProcess.evaluate({ ...question, fhirOperation: 'READ', resourceType: 'Foo' })
  await deps.audit.written()
  const rows = await database.many(sql`
    select subject, client_id, patient_id, operation, outcome from consent.audit_events
    where actor_references = '{Device/audited}' order by position`)
  const asked = {
    subject: 'client:svc-referral',
    client_id: 'svc-referral',
    patient_id: 'Patient/p1',
    operation: 'READ',
  }
  expect(rows).toEqual([
    { ...asked, outcome: 'NO_CONSENT' },
    { ...asked, outcome: 'MALFORMED' },
  ])
})
