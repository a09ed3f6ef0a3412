import { systemClock } from '../../../../packages/clock/clock.ts'
import { systemIds, systemRandom } from '../../../../packages/clock/ids.ts'
import { Metrics } from '../../../../packages/metrics/metrics.ts'
import { capturedLog, type CapturedLog } from '../../../../packages/testkit/captured-log.ts'
import { createIndexOf } from '../../store/index-rows.ts'
import { SharedSets } from '../../store/shared-sets.ts'
import { base, searchWorld, type SearchWorld } from '../../search/testing/search-world.ts'
import { Auditor, type AuditLimits, type AuditorDeps } from '../auditor.ts'

export interface AuditWorld extends AsyncDisposable {
  readonly world: SearchWorld
  readonly deps: AuditorDeps
  readonly auditor: Auditor
  readonly log: CapturedLog
  readonly metrics: Metrics
}

/** A store with two patients, and an auditor that writes at once. */
export async function auditWorld(
  limits: Partial<AuditLimits> = {},
  given: (deps: AuditorDeps) => Partial<AuditorDeps> = () => ({}),
): Promise<AuditWorld> {
  const world = await searchWorld()
  await world.put(
    { resourceType: 'Patient', id: 'amina' },
    { resourceType: 'Patient', id: 'kofi' },
    { resourceType: 'Organization', id: 'central', name: 'Central' },
    observation('glucose', 'amina'),
    observation('smoking', 'kofi'),
  )
  const { database, definitions, engine } = world
  const log = capturedLog()
  const metrics = new Metrics()
  const plain: AuditorDeps = {
    ...{ database, engine, metrics, base, clock: systemClock, ids: systemIds, random: systemRandom, log: log.log },
    indexOf: createIndexOf(definitions, { ownBases: [base] }),
    sets: new SharedSets({ clock: systemClock }),
    limits: { gatherMs: 0, ...limits },
  }
  const deps = { ...plain, ...given(plain) }
  return {
    ...{ world, deps, log, metrics, auditor: new Auditor(deps) },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

export const observation = (id: string, patient: string) => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  code: { coding: [{ system: 'http://loinc.org', code: '2339-0' }] },
  subject: { reference: `Patient/${patient}` },
})
