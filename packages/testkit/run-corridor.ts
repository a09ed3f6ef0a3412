import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Configuration } from '../../apps/corridor/configuration.ts'
import { corridorConfiguration } from '../../apps/corridor/load-configuration.ts'
import { migrationSets } from '../../apps/corridor/run/corridor-database.ts'
import { runCorridor } from '../../apps/corridor/run/run-corridor.ts'
import { serviceNames, type ServiceName } from '../../apps/corridor/service-names.ts'
import { quietProgress } from '../../apps/corridor/terminal.ts'
import { variableOf } from '../config/schema.ts'
import { systemClock, type Clock } from '../clock/clock.ts'
import { systemIds } from '../clock/ids.ts'
import type { Route } from '../http/route.ts'
import { openKeyStore } from '../keys/key-store.ts'
import { silentLog } from '../log/log.ts'
import { migrate } from '../sql/migrate/migrate.ts'
import { makeSigner } from '../tokens/signer.ts'
import { capturedLog, type CapturedLog } from './captured-log.ts'
import { freePort, freePortRange } from './free-port.ts'
import { freshDatabase, freshTemplate, type TestDatabase, type TestServer } from './fresh-database.ts'
import { keysOfTheRun } from './keys-of-the-run.ts'
import { claimsFor, type TokenWish } from './token-claims.ts'

export interface TestCorridorOptions {
  /** Which services run; all unless said. */
  readonly services?: readonly ServiceName[]
  /** Services call each other at their addresses, as those of different processes do: to come between them. */
  readonly apart?: boolean
  /** Keys by their paths: `{ 'auth.accessTokenSeconds': '60' }`. */
  readonly settings?: Readonly<Record<string, string>>
  readonly clock?: Clock
  /** A database that is there already, and stays. Else the Corridor has one of its own. */
  readonly databaseUrl?: string
}

export interface TestCorridor extends AsyncDisposable {
  readonly configuration: Configuration
  readonly databaseUrl: string
  readonly log: CapturedLog
  /** The public address of a service, without a slash at its end. */
  url(service: ServiceName): string
  /** Every route behind a service's listener, as it is declared. */
  routes(service: ServiceName): readonly Route<never>[]
  /** An Authorization header with a token of this Corridor's own key, good at every service unless the wish says otherwise. */
  bearerFor(wish?: TokenWish): Promise<string>
  /** Stops what runs and leaves its database and its folder, for a test that looks at them or starts again. */
  stop(): Promise<void>
}

/**
 * A Corridor, or a part of it, in this process: demo mode, free ports, a database of its own that is a copy of a
 * migrated one. Dispose it and nothing is left.
 */
export async function startCorridor(server: TestServer, options: TestCorridorOptions = {}): Promise<TestCorridor> {
  // What the demo's record says of its patients depends on the day it is written.
  const isOfToday = options.clock === undefined && (options.services ?? ['fhir']).includes('fhir')
  await using made = new AsyncDisposableStack()
  const folder = made.use(await temporaryFolder())
  const ownDatabase = async () => made.use(isOfToday ? await demoDatabase(server) : await corridorDatabase(server)).url
  const databaseUrl = options.databaseUrl ?? (await ownDatabase())
  const { clock = systemClock } = options
  const log = capturedLog(clock)
  const loaded = corridorConfiguration({
    demo: true,
    environment: await environment(databaseUrl, folder.path, server.run, options),
  })
  const { auth, fhir } = loaded.configuration
  const keys = await openKeyStore({ directory: auth.keyDirectory, clock, log: log.log })
  const signer = makeSigner(() => keys.current())
  const defaults = { clock, ids: systemIds, issuer: auth.url, audience: [fhir.url, auth.platformAudience] }
  const running = await runCorridor(loaded, {
    log: log.log,
    progress: quietProgress,
    ...(options.services === undefined ? {} : { services: options.services }),
    apart: options.apart ?? false,
    clock,
  })
  made.defer(() => running.stop())
  const owned = made.move()
  return {
    configuration: loaded.configuration,
    databaseUrl,
    log,
    url: (service) => loaded.configuration[service].url,
    routes: (service) => running.services.find(({ name }) => name === service)?.routes ?? [],
    bearerFor: async (wish = {}) =>
      `Bearer ${await signer.sign({ typ: wish.typ ?? 'at+jwt', claims: claimsFor(wish, defaults) })}`,
    stop: () => running.stop(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

const temporaryFolder = () => mkdtempDisposable(join(tmpdir(), 'corridor-run-'))

/** A database of its own with the tables of every service: a copy of one that is migrated once a run. */
export async function corridorDatabase(server: TestServer): Promise<TestDatabase> {
  return freshDatabase(server, { template: await freshTemplate(server, 'corridor', migrateAll) })
}

const migrateAll = async (url: string) => void (await migrate(url, migrationSets(serviceNames)))

/** The same with the demo's record, which a FHIR store has written once a run: that is a third of a start. */
async function demoDatabase(server: TestServer): Promise<TestDatabase> {
  const prepare = async (url: string) => {
    // The writer would make no tables but its own, and every start on a copy all the others: half of its cost.
    await migrateAll(url)
    await using folder = await temporaryFolder()
    const values = await environment(url, folder.path, server.run, {})
    const loaded = corridorConfiguration({ demo: true, environment: values })
    const writer = await runCorridor(loaded, { log: silentLog, progress: quietProgress, services: ['fhir'] })
    await writer.stop()
  }
  return freshDatabase(server, { template: await freshTemplate(server, 'corridor_demo', prepare) })
}

async function environment(
  databaseUrl: string,
  folder: string,
  run: string,
  { settings = {} }: TestCorridorOptions,
): Promise<Record<string, string>> {
  const ports = await Promise.all(serviceNames.map(async (name) => [`${name}.port`, String(await freePort())] as const))
  const values = {
    'database.url': databaseUrl,
    'database.poolMax': '4',
    dataDir: folder,
    // One key for the whole run: making one costs more than all the rest of a start.
    'auth.keyDirectory': keysOfTheRun(run),
    'bridge.mllpPort': String(await freePortRange(8)),
    'bridge.audit.receiverPort': '0',
    ...Object.fromEntries(ports),
    ...settings,
  }
  return Object.fromEntries(Object.entries(values).map(([path, value]) => [variableOf(path), value]))
}
