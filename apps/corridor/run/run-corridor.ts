import { systemClock, type Clock } from '../../../packages/clock/clock.ts'
import { systemIds, systemRandom, type Ids, type Random } from '../../../packages/clock/ids.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import { Metrics } from '../../../packages/metrics/metrics.ts'
import type { OutboundOrigin } from '../../../packages/http/outbound/outbound-origins.ts'
import { makeOutbound } from '../../../packages/http/outbound/outbound.ts'
import type { Neighbours } from '../../../packages/service/neighbours.ts'
import type { Kit } from '../../../packages/service/service.ts'
import { earlierNow } from '../../../packages/sql/earlier-now.ts'
import { buildInfo } from '../build-info/build-info.ts'
import type { Configuration, LoadedConfiguration } from '../configuration.ts'
import { RegisteredOrigins } from '../../../services/auth/registration/registered-origins.ts'
import { Life } from '../life.ts'
import { checkMode } from '../production-check.ts'
import { serviceNames, type ServiceName } from '../service-names.ts'
import { services as allServices, type CorridorService } from '../services.ts'
import type { Progress } from '../terminal.ts'
import { askForAppOrigin } from './app-origins.ts'
import { diskSpace } from './disk-space.ts'
import { checkFreePorts } from './free-ports.ts'
import { holdOwnData, openCorridorDatabase } from './corridor-database.ts'
import { refuseLostKeys } from './lost-keys.ts'
import { checkKeys, openKeys } from './signing-keys.ts'
import { pageAssets, startService, type RunningService } from './start-service.ts'
import { tokenChecks } from './token-checks.ts'
import { corridorVersion } from './version.ts'

interface RunOptions {
  /** Which services run in this process; all unless said. */
  readonly services?: readonly ServiceName[]
  /** Services call each other at their addresses, as those of different processes do. */
  readonly apart?: boolean
  readonly log: Log
  readonly progress: Progress
  /** Ends the start, wherever it is; once all runs, it says nothing any more. */
  readonly stop?: AbortSignal
  readonly clock?: Clock
  readonly ids?: Ids
  readonly random?: Random
}

export interface RunningCorridor {
  readonly version: string
  readonly configuration: Configuration
  readonly services: readonly RunningService[]
  /** Drains and ends everything; resolves when nothing is left. */
  stop(): Promise<void>
}

/**
 * Starts Corridor, or some of its services, in this process. When any part cannot start, what was started before it is
 * ended again and the fault is thrown; the reason of the stop, where one came before the start was over.
 */
export async function runCorridor(loaded: LoadedConfiguration, options: RunOptions): Promise<RunningCorridor> {
  checkMode(loaded, options.services ?? serviceNames)
  const { configuration } = loaded
  const { log, stop, clock = systemClock } = options
  const progress = untilStopped(options.progress, stop)
  const life = new Life()
  try {
    const version = corridorVersion()
    const chosen = chosenServices(options.services)
    const start = { ...options, configuration, version, clock, progress, life }
    const shared = await openShared(
      chosen.map(({ name }) => name),
      start,
    )
    const services = await startInTurn(chosen, shared, start)
    stop?.throwIfAborted()
    progress.done()
    return { version, configuration, services, stop: () => life.end({ log, clock }) }
  } catch (thrown) {
    progress.abandon()
    await life.end({ log, clock })
    // What goes wrong after a stop goes wrong because of it, mostly: a terminal sends Ctrl-C to our children, too.
    if (stop?.aborted === true) log.info('start was stopped', { error: faultOf(thrown).message })
    stop?.throwIfAborted()
    throw thrown
  }
}

interface Start extends RunOptions {
  readonly configuration: Configuration
  readonly version: string
  readonly clock: Clock
  readonly life: Life
}

/** What the services of a process share. Whatever may refuse the start does so before anything is opened for them. */
async function openShared(names: readonly ServiceName[], start: Start) {
  const { configuration, clock, log, progress, life, stop } = start
  await checkFreePorts(names, configuration, clock)
  await holdOwnData(configuration, life)
  const signs = names.includes('auth')
  if (signs) await checkKeys(configuration.auth.keyDirectory)
  const metrics = new Metrics({ process: true })
  const room = await openCorridorDatabase(configuration, names, { life, progress, log, clock, stop, metrics })
  const { database } = room
  if (signs) await refuseLostKeys(configuration, { database, clock })
  const deletesAt = () => earlierNow(clock, database)
  const opened = signs ? await openKeys(configuration.auth.keyDirectory, { clock, log, life, deletesAt }) : undefined
  const outbound = makeOutbound({
    ...configuration.outbound,
    origins: knownOrigins(configuration),
    ...{ clock, log, metrics },
  })
  life.started('outbound connections', () => outbound.close())
  const ask = askForAppOrigin(configuration, { signs, database, outbound })
  return { metrics, room, opened, outbound, origins: new RegisteredOrigins({ clock, ask }) }
}

type Shared = Awaited<ReturnType<typeof openShared>>

/** One after the other: each finds what those before it offer. */
async function startInTurn(
  chosen: readonly CorridorService[],
  shared: Shared,
  start: Start,
): Promise<RunningService[]> {
  const { configuration, version, clock, log, progress, life } = start
  const { room, opened, outbound } = shared
  const checksOf = tokenChecks(configuration, {
    ...{ clock, log, signingKeys: opened?.keys, database: room.database },
    fetchJson: (url) => outbound.getJson(url),
  })
  const kit = kitOf(shared, start)
  const common = { configuration, version, build: buildInfo(), room, log, life, assets: pageAssets() }
  const health = { diskSpace: diskSpace(configuration) }
  const running: RunningService[] = []
  const neighbours: Neighbours = {}
  for (const service of chosen) {
    progress.step(`Starting the ${service.title.toLowerCase()}`)
    const { verifier, isRevoked, tellRevoked } = checksOf(service.name)
    const own = service.name === 'auth' && opened !== undefined ? { signingKeys: opened.health } : {}
    const started = await startService(service, {
      ...{ ...common, verifier, health: { ...health, ...own } },
      kit: { ...kit, isRevoked, tellRevoked, neighbours: { ...neighbours } },
    })
    running.push(started)
    if (start.apart !== true) Object.assign(neighbours, started.offers)
  }
  return running
}

function kitOf({ metrics, room, opened, outbound, origins }: Shared, start: Start): Omit<Kit, 'log' | 'neighbours'> {
  const { configuration, clock, ids = systemIds, random = systemRandom, progress, life } = start
  return {
    ...{ mode: configuration.mode, clock, ids, random, metrics, database: room.database, outbound },
    signingKeys: opened?.keys,
    onProgress: (what) => progress.step(what),
    graceMs: (wantedMs) => life.graceMs(wantedMs),
    isAppOrigin: (origin) => origins.includes(origin),
    addresses: Object.fromEntries(serviceNames.map((name) => [name, configuration[name].url])),
  }
}

/** Every step of a start asks first whether there is to be one. */
function untilStopped(progress: Progress, stop: AbortSignal | undefined): Progress {
  stop?.addEventListener('abort', () => progress.abandon(), { once: true })
  return {
    ...progress,
    step(what, howFar) {
      stop?.throwIfAborted()
      progress.step(what, howFar)
    },
  }
}

const chosenServices = (names: readonly ServiceName[] | undefined) =>
  allServices.filter(({ name }) => names === undefined || names.includes(name))

/** The only places that this Corridor ever calls: its own services. */
function knownOrigins(configuration: Configuration): OutboundOrigin[] {
  return serviceNames.map((name) => ({ name: `${name}-service`, url: configuration[name].url }))
}
