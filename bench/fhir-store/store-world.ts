import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds, systemRandom } from '../../packages/clock/ids.ts'
import { makeOutbound } from '../../packages/http/outbound/outbound.ts'
import { silentLog } from '../../packages/log/log.ts'
import { Metrics } from '../../packages/metrics/metrics.ts'
import { openDatabase, type Database } from '../../packages/sql/database.ts'
import { kitMigrations, migrate } from '../../packages/sql/migrate/migrate.ts'
import { sql } from '../../packages/sql/sql.ts'
import type { Caller } from '../../packages/tokens/caller.ts'
import type { FhirStore } from '../../ports/fhir-store/fhir-store.ts'
import { inProcessFhirStore } from '../../ports/fhir-store/in-process-fhir-store.ts'
import { fhirUseCases } from '../../services/fhir/in-process.ts'
import { makeFhirDeps } from '../../services/fhir/make-deps.ts'
import { fullAccess } from '../../services/fhir/scopes/access.ts'
import { patientRecord, resourcesPerPatient } from './patient-record.ts'

type FhirDeps = Awaited<ReturnType<typeof makeFhirDeps>>

export interface StoreWorld extends AsyncDisposable {
  readonly patients: number
  /** The port that services of the same process use, with its checks, patient index and audit log. */
  readonly store: FhirStore
  readonly deps: FhirDeps
}

const batchSize = 500
const base = 'http://localhost:8080/fhir'
const migrations = { owner: 'fhir', folder: new URL('../../services/fhir/migrations/', import.meta.url) }

export const section = {
  ...{ port: 0, url: base, tls: { certificateFile: undefined, keyFile: undefined }, allowedOrigins: [] },
  ...{ bodyBytesMax: 33_554_432, bundleEntriesMax: 10_000 },
  ...{ consentClientId: 'svc-consent', referralClientId: 'svc-referral' },
}

/** The FHIR service as it runs, over a database with so many resources. */
export async function storeWorld(
  url: string,
  resources: number,
  progress: (text: string) => void,
): Promise<StoreWorld> {
  await using stack = new AsyncDisposableStack()
  const { database, deps } = stack.use(await openService(url))
  const patients = Math.floor(resources / resourcesPerPatient)
  let waiting: ReturnType<typeof patientRecord> = []
  for (let number = 0; number < patients; number++) {
    waiting.push(...patientRecord(number, patients))
    if (waiting.length < batchSize && number < patients - 1) continue
    const changes = waiting.map(({ id, ...resource }) => ({
      ...{ method: 'PUT' as const, type: resource.resourceType, access: fullAccess },
      target: { kind: 'id' as const, id, mayCreate: true, isNewId: true },
      body: { resource, index: deps.indexOf(resource.resourceType, resource) },
    }))
    await database.transaction((tx) => deps.store.writeTogether(changes, tx))
    waiting = []
    if ((number + 1) % 1_000 === 0) progress(`${(number + 1) * resourcesPerPatient} of ${resources} resources`)
  }
  // As autovacuum would have done by the time that somebody asks.
  await database.run(sql`vacuum analyze`)
  const owned = stack.move()
  const store = inProcessFhirStore(fhirUseCases(program, deps))
  return { patients, store, deps, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

export async function openService(url: string): Promise<AsyncDisposable & { database: Database; deps: FhirDeps }> {
  await migrate(url, [kitMigrations, migrations])
  const [clock, log, metrics] = [systemClock, silentLog, new Metrics()]
  const database = await openDatabase({ url, poolMax: 8, log })
  const outbound = makeOutbound({ origins: [], deadlineMs: 1_000, responseBytesMax: 1_000, clock, log, metrics })
  const deps = await makeFhirDeps(section, {
    ...{ mode: 'demo', clock, ids: systemIds, random: systemRandom, log, metrics, database, outbound, neighbours: {} },
    graceMs: (wantedMs) => wantedMs,
    ...{ signingKeys: undefined, addresses: { auth: 'http://localhost:9000', fhir: base } },
  })
  return {
    database,
    deps,
    async [Symbol.asyncDispose]() {
      await deps.store.close()
      await deps.auditor.close()
      await outbound.close()
      await database.close()
    },
  }
}

const program: Caller = {
  ...{ subject: 'svc-bench', clientId: 'svc-bench', roles: new Set(['SYSTEM']), scope: 'system/*.cruds' },
  ...{ organisation: undefined, patient: undefined, encounter: undefined, fhirUser: undefined },
  ...{ tokenId: 'bench', grantId: undefined, expiresAt: new Date('2100-01-01T00:00:00Z') },
}
