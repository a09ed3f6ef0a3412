import { systemIds } from '../../../../packages/clock/ids.ts'
import { SimulatedClock } from '../../../../packages/clock/simulated-clock.ts'
import { loadDefinitions } from '../../../../packages/fhir/definitions.ts'
import type { Patient } from '../../../../packages/fhir/r4.ts'
import { createValidate } from '../../../../packages/fhir/validate/validator.ts'
import { silentLog } from '../../../../packages/log/log.ts'
import { Metrics } from '../../../../packages/metrics/metrics.ts'
import { JobQueue } from '../../../../packages/sql/tasks/job-queue.ts'
import { createReplaceLinks } from '../../interactions/bundle/links.ts'
import type { InteractionDeps } from '../../interactions/deps.ts'
import { remove, update } from '../../interactions/write.ts'
import { fullAccess } from '../../scopes/access.ts'
import { requiredValueSets } from '../../search/testing/required-value-sets.ts'
import { createSearchEngine } from '../../search/search-engine.ts'
import { createIndexOf } from '../../store/index-rows.ts'
import { SharedSets } from '../../store/shared-sets.ts'
import { Store } from '../../store/store.ts'
import { fhirDatabase } from '../../testing/fhir-database.ts'
import { indexMetrics } from '../index-metrics.ts'
import { NamesInUse } from '../names-in-use.ts'
import { noteLinked } from '../second-looks/note-linked.ts'
import { storedPatientRecords } from '../stored-patient-records.ts'
import { indexPatients } from '../write-hook.ts'

/** The store with the patient index on it, on a database of the test's own. */
export async function indexWorld() {
  const stack = new AsyncDisposableStack()
  const { database } = stack.use(await fhirDatabase())
  const definitions = await loadDefinitions()
  const clock = new SimulatedClock('2026-03-04T05:06:07Z')
  const base = 'http://localhost:8080/fhir'
  const engine = createSearchEngine({ definitions, valueSets: requiredValueSets(definitions), clock, ownBases: [base] })
  const jobs = new JobQueue({ database, log: silentLog, clock })
  const hooks = [indexPatients(jobs), noteLinked(jobs)]
  const store = new Store({ database, engine, clock, sets: new SharedSets({ clock }), hooks })
  stack.defer(() => store.close())
  const deps: InteractionDeps = {
    database,
    store,
    engine,
    definitions,
    validate: createValidate(definitions),
    indexOf: createIndexOf(definitions, { ownBases: [base] }),
    replaceLinks: createReplaceLinks(definitions),
    clock,
    log: silentLog,
    ids: systemIds,
    base,
    limits: { bundleEntriesMax: 1_000, answerCharactersMax: 1_000_000 },
  }
  const names = new NamesInUse({ database, clock, log: silentLog })
  const metrics = new Metrics()
  const records = storedPatientRecords(deps)
  return {
    deps,
    jobs,
    database,
    clock,
    names,
    metrics,
    indexMetrics: indexMetrics(metrics),
    records,
    ids: systemIds,
    put: (patient: Patient & { readonly id: string }) =>
      update({ type: 'Patient', id: patient.id, resource: patient, access: fullAccess }, deps),
    remove: (id: string) => remove({ type: 'Patient', id, access: fullAccess }, deps),
    read: async (id: string) => (await records.read([id], database)).get(id),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

export type IndexWorld = Awaited<ReturnType<typeof indexWorld>>
