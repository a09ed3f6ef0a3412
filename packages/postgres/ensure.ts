import { type Clock, systemClock } from '../clock/clock.ts'
import { incorrect, unavailable } from '../faults/fault.ts'
import type { Log } from '../log/log.ts'
import { databaseFault } from '../sql/database-fault.ts'
import { serviceUrl, superuserUrl } from './addresses.ts'
import { connectToRunning, type RunningServer } from './adopt.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { bringUp } from './bring-up.ts'
import { checkSpace, prepareDataDir } from './data-dir.ts'
import { initialise } from './initialise.ts'
import { type Layout, layoutOf } from './layout.ts'
import { lockWithin } from './lock.ts'
import { majorOf } from './major.ts'
import { readPassword } from './password.ts'
import { runAsFor } from './run-as.ts'
import { ensureServiceDatabase } from './service-database.ts'
import { connectionsFor } from './settings.ts'
import { stopServer } from './stop.ts'

export interface EmbeddedPostgres {
  /** Where the services connect: a user without special rights, who owns the database. */
  readonly url: string
  /** Where an operator's tool connects as superuser. */
  readonly superuserUrl: string
  /** Whether it was running already, left over from a Corridor that was killed. */
  readonly adopted: boolean
  /** Whether the data directory was new. */
  readonly firstStart: boolean
  readonly pid: number
  /** Stops the server and resolves when it is gone. */
  stop(): Promise<void>
}

export interface EnsureOptions {
  readonly dataDir: string
  readonly log: Log
  /** Told in a sentence what takes longer than a moment. */
  readonly onProgress?: (text: string) => void
  /** False only for tests: nothing is forced to disk. */
  readonly durable?: boolean
  /** Any free port unless given; it is remembered. */
  readonly port?: number
  /** How many connections Corridor itself may open: the server has room for them, and for others beside. */
  readonly poolMax?: number
  readonly clock?: Clock
  /** Whoever stops a start that waits is not kept waiting, and finds no server running. */
  readonly stop?: AbortSignal | undefined
  /** The npm package with the binaries, where it is not the one installed for this machine. */
  readonly packageFolder?: string
  /** Folders outside the data directory for a copy of the binaries, where one is needed. */
  readonly copyPlaces?: readonly string[]
}

/**
 * A running PostgreSQL on this data directory: the one that runs already, else one that is started, else one that is
 * made and started. Safe to call from several processes at once.
 */
export async function ensurePostgres(options: EnsureOptions): Promise<EmbeddedPostgres> {
  const layout = layoutOf(options.dataDir)
  await prepareDataDir(layout.dataDir)
  const { clock = systemClock, stop } = options
  const lock = await lockWithin(layout.startLock, startLockMs, { clock, stop })
  if (lock === undefined) {
    throw unavailable(
      `Another process has been starting the PostgreSQL in ${layout.dataDir} for too long. ` +
        `Look at ${layout.log}, stop that process, then start again.`,
      { code: 'POSTGRES_NOT_STARTED' },
    )
  }
  try {
    return await ensureLocked(layout, options)
  } finally {
    lock.release()
  }
}

const startLockMs = 300_000

async function ensureLocked(layout: Layout, options: EnsureOptions): Promise<EmbeddedPostgres> {
  const runAs = await runAsFor(layout.cluster)
  const firstStart = (await majorOf(layout)) === undefined
  if (!firstStart) {
    const password = await readPassword(layout)
    const running = await connectToRunning(layout.cluster, password)
    if (running !== undefined) {
      await tellOfRoom(running, options)
      return embedded(layout, running, password, { adopted: true, firstStart }, options)
    }
  }
  const { log, clock = systemClock, stop, durable = true, onProgress = () => {} } = options
  await checkSpace(layout.dataDir, { firstStart })
  const binaries = await findBinaries(layout, runAs, { ...options, onProgress })
  if (firstStart) {
    onProgress('Making a new PostgreSQL data directory')
    await initialise(layout, binaries, runAs, { durable, stop })
  }
  await checkMajor(layout, binaries)
  const password = await readPassword(layout)
  const running = await bringUp(
    layout,
    { password, durable, port: options.port, poolMax: options.poolMax, binaries, runAs },
    { log, clock, stop, onProgress },
  )
  return embedded(layout, running, password, { adopted: false, firstStart }, options)
}

/** What went on running has the room of its own start. To start it anew would end what other processes have open. */
async function tellOfRoom({ client }: RunningServer, { poolMax = 0, log }: EnsureOptions): Promise<void> {
  const answer = await client.query<{ max: number }>(`select current_setting('max_connections')::int as max`)
  const max = answer.rows[0]?.max ?? 0
  if (max >= connectionsFor(poolMax)) return
  log.warn('postgres went on running and has too little room for database.poolMax: stop Corridor and start it again', {
    count: max,
  })
}

async function embedded(
  layout: Layout,
  running: RunningServer,
  password: string,
  how: { adopted: boolean; firstStart: boolean },
  { log, clock = systemClock }: EnsureOptions,
): Promise<EmbeddedPostgres> {
  const { pid, port, client } = running
  try {
    await ensureServiceDatabase(client, password)
  } catch (thrown) {
    // A server that dies at this moment is one that is away, as at any other.
    throw databaseFault(thrown)
  } finally {
    await client.end()
  }
  log.info(how.adopted ? 'postgres.adopted' : 'postgres.ready', { pid, port })
  return {
    url: serviceUrl(port, password),
    superuserUrl: superuserUrl(port, password),
    pid,
    ...how,
    stop: () => stopServer(pid, layout.cluster, { log, clock }),
  }
}

/** A cluster belongs to one major version of PostgreSQL for ever. */
async function checkMajor(layout: Layout, binaries: Binaries): Promise<void> {
  const found = await majorOf(layout)
  if (found === binaries.major) return
  throw incorrect(
    `The data directory ${layout.cluster} was made by PostgreSQL ${found}, and this Corridor brings PostgreSQL ` +
      `${binaries.major}. Start it with the Corridor that made it and export the data, or set CORRIDOR_DATABASE_URL ` +
      `to a PostgreSQL ${found} that runs on it.`,
    { code: 'POSTGRES_OTHER_MAJOR' },
  )
}
