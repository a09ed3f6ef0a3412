import { expect, it } from 'vitest'
import { systemIds, systemRandom } from '../../packages/clock/ids.ts'
import { SimulatedClock } from '../../packages/clock/simulated-clock.ts'
import { unavailable } from '../../packages/faults/fault.ts'
import { silentLog } from '../../packages/log/log.ts'
import { Metrics } from '../../packages/metrics/metrics.ts'
import type { AccessRequest } from './access-request.ts'
import { AuditTrail } from './audit/audit-trail.ts'
import { EnumerationWatch } from './audit/enumeration-watch.ts'
import { evaluate } from './evaluate.ts'
import { CandidateReader } from './store/candidates.ts'
import { consentDatabase } from './testing/consent-database.ts'

it('of those who ask at the same moment only as many are answered as can be audited', async () => {
  await using world = await consentDatabase()
  const clock = new SimulatedClock('2026-03-04T05:00:00Z')
  // It can be read, and takes no row.
  const database = { ...world.database, run: () => Promise.reject(unavailable('Away.')) }
  const metrics = new Metrics()
  const watch = new EnumerationWatch({ windowMs: 600_000, patientsMax: 100, exemptClients: [] }, { database, clock })
  const audit = new AuditTrail(
    { queueMax: 2 },
    { database, clock, ids: systemIds, random: systemRandom, log: silentLog, metrics, watch },
  )
  const deps = {
    ...{ database, audit, clock, ids: systemIds, candidates: new CandidateReader(world.database) },
    decisions: metrics.counter('corridor_consent_decisions_total', 'Decisions by their outcome.', ['outcome']),
    settings: {
      implicitPolicy: 'permit-all',
      ...{ fhirUrl: 'http://localhost/fhir', timeZone: 'UTC' },
      ...{ strictOrganisation: false, auditBeforeAnswer: false, fhirProjection: false },
    },
  } as const
  const question: AccessRequest = {
    ...{ patientId: 'Patient/p1', actorReferences: ['Device/x'], resourceType: 'Patient', purposeOfUse: 'TREAT' },
    operation: 'READ',
  }
  const asker = { subject: 'client:x', clientId: 'x', peer: null, requestId: 'r-1' }
  const answers = await Promise.allSettled([1, 2, 3].map(() => evaluate(question, asker, deps)))
  expect(answers).toMatchObject([
    { value: { outcome: 'PERMIT' } },
    { value: { outcome: 'PERMIT' } },
    { reason: { kind: 'unavailable', code: 'AUDIT_BACKLOG' } },
  ])
  expect(await metrics.text()).toContain('corridor_consent_audit_lost_total 0')
  const closed = audit.close(1_000)
  await clock.advance(10_000)
  await closed
})
