import { systemClock } from '../../../packages/clock/clock.ts'
import { unavailable } from '../../../packages/faults/fault.ts'
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
import { readServerState, refuseOldServer } from './server-state.ts'

/** Runs a command on the migrated database, whether Corridor is running or not. */
export async function withDatabase<Result>(
  loaded: LoadedConfiguration,
  terminal: Terminal,
  work: (database: Database, log: Log) => Promise<Result>,
): Promise<Result> {
  checkMode(loaded)
  const { configuration } = loaded
  const clock = systemClock
  const log = commandLog(configuration, terminal)
  const progress = makeProgress(terminal)
  const life = new Life()
  try {
    const url = await reachDatabase(configuration, { life, progress, log, clock })
    const database = await openDatabase({ url, poolMax: 2, applicationName: 'corridor command', log })
    life.started('database connections', () => database.close())
    refuseOldServer(await readServerState(database))
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
export async function reachDatabase(configuration: Configuration, deps: DatabaseDeps): Promise<string> {
  const running = configuration.database.url === undefined ? await inspectPostgres(configuration.dataDir) : undefined
  if (running?.state === 'running') return running.url
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
