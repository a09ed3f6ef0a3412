import { systemClock, type Clock } from '../../../../packages/clock/clock.ts'
import { systemIds, systemRandom } from '../../../../packages/clock/ids.ts'
import { makeOutbound } from '../../../../packages/http/outbound/outbound.ts'
import { Metrics } from '../../../../packages/metrics/metrics.ts'
import { Outbox } from '../../../../packages/sql/tasks/outbox.ts'
import { openDatabase, type Database } from '../../../../packages/sql/database.ts'
import { sql } from '../../../../packages/sql/sql.ts'
import { capturedLog, type CapturedLog } from '../../../../packages/testkit/captured-log.ts'
import { testCorridor, type TestCorridor } from '../../../../packages/testkit/test-corridor.ts'
import type { FhirStore } from '../../../../ports/fhir-store/fhir-store.ts'
import { httpFhirStore } from '../../../../ports/fhir-store/http-fhir-store.ts'
import type { Resource } from '../../../../ports/fhir-store/resources.ts'
import { httpResourceMatching } from '../../../../ports/resource-matching/http-resource-matching.ts'
import { finishedMessage, succeeded } from '../../audit/testing/finished-messages.ts'
import { publishBoundaries } from '../../pipeline/boundaries.ts'
import { tellingPart } from '../../pipeline/telling.ts'
import { bridgeDatabase } from '../../testing/bridge-database.ts'
import type { CoordinationSection } from '../../coordination/section.ts'
import { seededIds } from '../../subscriptions/store/seeded.ts'
import type { OutboundSection } from '../section.ts'
import { startDispatch, type Dispatch } from '../start-dispatch.ts'

const outboundSettings: OutboundSection = {
  application: 'CORRIDOR',
  allowedHosts: [],
  attemptsMax: 5,
  retryBaseMs: 1,
  retryMaxMs: 5,
  awayHours: 72,
  concurrency: 32,
  deadlineMs: 20_000,
  smsGatewayUrl: undefined,
  smsGatewayAuthorization: undefined,
  mllpCaFile: undefined,
  mllpCertificateFile: undefined,
  mllpKeyFile: undefined,
  sink: true,
  retentionDays: 30,
}

const coordinationSettings: CoordinationSection = {
  url: undefined,
  authorization: undefined,
  escalateAfterSeconds: 900,
  escalationsMax: 3,
  escalationPhone: '+99900000001',
}

export interface StoreWorld extends AsyncDisposable {
  readonly fhirStore: FhirStore
  readonly fhirBase: string
  /** The ids of the subscriptions that the worlds before have put into it. */
  readonly seeded: Set<string>
}

/** A real FHIR service, called over HTTP as the bridge's service account would. */
export async function storeWorld(): Promise<StoreWorld> {
  const corridor: TestCorridor = await testCorridor({ services: ['auth', 'fhir'] })
  const fhirBase = corridor.url('fhir')
  const outbound = makeOutbound({
    origins: [fhirBase],
    ...{ deadlineMs: 10_000, responseBytesMax: 10_000_000, clock: systemClock, log: corridor.log.log },
    metrics: new Metrics(),
  })
  const bearer = await corridor.bearerFor({ role: 'SYSTEM', scope: 'system/*.cruds', expiresInSeconds: 3_600 })
  const token = async () => bearer.slice('Bearer '.length)
  return {
    fhirStore: httpFhirStore({ base: fhirBase, outbound, token, clock: systemClock }),
    fhirBase,
    seeded: new Set(),
    async [Symbol.asyncDispose]() {
      await outbound.close()
      await corridor[Symbol.asyncDispose]()
    },
  }
}

export interface DispatchWorld extends AsyncDisposable {
  readonly database: Database
  readonly log: CapturedLog
  readonly dispatch: Dispatch
  /** Writes the resources as a message would, ends the message, and waits until all that follows was done. */
  message(
    resources: readonly Resource[],
    about?: {
      readonly patient?: string
      readonly others?: readonly string[]
      readonly isRerun?: true
      readonly sendingApplication?: string
    },
  ): Promise<string>
}

interface DispatchOptions {
  readonly outbound?: Partial<OutboundSection>
  readonly coordination?: Partial<CoordinationSection>
  readonly clock?: Clock
}

export async function dispatchWorld(store: StoreWorld, options: DispatchOptions = {}): Promise<DispatchWorld> {
  const server = await bridgeDatabase()
  const { clock = systemClock } = options
  const log = capturedLog(clock)
  const database = await openDatabase({ url: server.url, poolMax: 6, log: log.log })
  // To look for each of them in the store once more takes a tenth of a test.
  await database.run(sql`
    insert into bridge.seeded_subscriptions (id, seeded_at)
    select id, ${clock.now()} from unnest(${[...store.seeded]}::text[]) as id`)
  const dispatch = await startDispatch(
    {
      outbound: { ...outboundSettings, ...options.outbound },
      coordination: { ...coordinationSettings, ...options.coordination },
      retention: { metaDays: 365, errorDays: 730 },
    },
    {
      ...{ mode: 'demo', database, clock, ids: systemIds, random: systemRandom, log: log.log, metrics: new Metrics() },
      ...{ fhirStore: store.fhirStore, matching: httpResourceMatching(store.fhirStore), fhirBase: store.fhirBase },
      ...{ facilities: { find: async () => new Map<string, never>() }, timeZone: 'UTC' },
      ...{ facilityCode: 'HIE', passBoundary: publishBoundaries(), graceMs: (wantedMs) => wantedMs },
      authorities: { base: 'https://corridor.example', namespaces: new Map() },
    },
  )
  let count = 0
  return {
    ...{ database, log, dispatch },
    async message(resources, about = {}) {
      const transactionId = `t-${++count}`
      const written = await writeAll(resources, store.fhirStore)
      const otherPatients = (about.others ?? []).map((patient) => ({ patient }))
      const named = { patient: about.patient ?? patientOf(resources), otherPatients }
      const outcome = { ...succeeded, ...named, resources: written }
      const part = tellingPart([dispatch.telling], new Outbox({ database, clock, log: log.log }))
      const { isRerun, sendingApplication } = about
      const told = { ...(isRerun && { isRerun }), ...(sendingApplication !== undefined && { sendingApplication }) }
      const finished = [finishedMessage({ transactionId, outcome, ...told })]
      const statement = part.statement(finished)
      if (statement !== undefined) await database.run(statement)
      part.committed(finished)
      await dispatch.drain()
      return transactionId
    },
    async [Symbol.asyncDispose]() {
      await dispatch.close()
      for (const id of await seededIds(database)) store.seeded.add(id)
      await database.close()
      await server.drop()
    },
  }
}

async function writeAll(resources: readonly Resource[], store: FhirStore) {
  const written = []
  for (const resource of resources) {
    const { resource: stored, outcome } = await store.update({ ...resource, id: resource.id ?? '' })
    const operation = outcome === 'created' ? ('create' as const) : ('update' as const)
    const versionId = stored.meta?.versionId ?? ''
    written.push({
      reference: `${resource.resourceType}/${stored.id}`,
      type: resource.resourceType,
      versionId,
      operation,
    })
  }
  return written
}

function patientOf(resources: readonly Resource[]): string {
  const patient = resources.find(({ resourceType }) => resourceType === 'Patient')
  return `Patient/${patient?.id ?? 'amara'}`
}
