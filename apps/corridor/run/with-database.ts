import { systemClock } from '../../../packages/clock/clock.ts'
import { missing, unavailable } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import { inspectPostgres } from '../../../packages/postgres/inspect.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import type { Configuration, LoadedConfiguration } from '../configuration.ts'
import { Life } from '../life.ts'
import { checkMode } from '../production-check.ts'
import { serviceNames } from '../service-names.ts'
import { makeProgress, type Terminal } from '../terminal.ts'
import { calledAs } from './called-as.ts'
import { commandLog } from './command-log.ts'
import { bringUpToDate, databaseUrl, holdOwnData, type DatabaseDeps } from './corridor-database.ts'
import { readServerState, refuseUnfitServer } from './server-state.ts'

export interface DatabaseWish {
  /** An embedded database that is not there yet is made: for who is to put something into it before the first start. */
  readonly mayBegin?: boolean
}

/** Runs a command on the migrated database, whether Corridor is running or not. */
export async function withDatabase<Result>(
  loaded: LoadedConfiguration,
  terminal: Terminal,
  work: (database: Database, log: Log) => Promise<Result>,
  wish: DatabaseWish = {},
): Promise<Result> {
  checkMode(loaded)
  const { configuration } = loaded
  const clock = systemClock
  const log = commandLog(configuration, terminal)
  const progress = makeProgress(terminal)
  const life = new Life()
  try {
    const url = await reachDatabase(configuration, { life, progress, log, clock }, wish)
    const database = await openDatabase({ url, poolMax: 2, applicationName: 'corridor command', log })
    life.started('database connections', () => database.close())
    refuseUnfitServer(await readServerState(database))
    await bringUpToDate(url, serviceNames, { progress })
    progress.done()
    return await work(database, log)
  } finally {
    progress.done()
    await life.end({ log, clock })
  }
}

/**
 * The address of the database for a command: the named one, the embedded one that runs already, else the embedded one
 * started for as long as the command takes.
 */
export async function reachDatabase(
  configuration: Configuration,
  deps: DatabaseDeps,
  { mayBegin = false }: DatabaseWish = {},
): Promise<string> {
  const running = configuration.database.url === undefined ? await inspectPostgres(configuration.dataDir) : undefined
  if (running?.state === 'running') return running.url
  // Whoever asks of a folder that is misspelt must not be told that nobody has an account there, and every trail is whole.
  if (running?.state === 'new' && !mayBegin) throw noDatabaseYet(configuration.dataDir)
  await holdOwnData(configuration, deps.life).catch((thrown: unknown) => {
    if (running?.state !== 'silent') throw thrown
    // Whoever holds the data does so in vain: the server is what is wrong.
    throw unavailable(
      `The embedded PostgreSQL (process ${running.pid}) takes no connection. "${calledAs()} doctor" says what to look at.`,
      { code: 'DATABASE_UNAVAILABLE', cause: thrown },
    )
  })
  return databaseUrl(configuration, deps)
}

const noDatabaseYet = (dataDir: string) =>
  missing(
    `The data directory ${dataDir} has no database. Set CORRIDOR_DATA_DIR to the one that has; where it is right, Corridor ` +
      'was never started with it.',
    { code: 'NO_DATABASE_YET' },
  )
