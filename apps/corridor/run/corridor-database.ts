import type { Clock } from '../../../packages/clock/clock.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Metrics } from '../../../packages/metrics/metrics.ts'
import { holdDataDir } from '../../../packages/postgres/hold.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { lostSettings } from '../../../packages/sql/lost-settings.ts'
import { signInMigrations } from '../../../packages/sign-in/migrations.ts'
import { kitMigrations, migrate, type Migration, type MigrationSet } from '../../../packages/sql/migrate/migrate.ts'
import type { Configuration } from '../configuration.ts'
import type { Life } from '../life.ts'
import type { ServiceName } from '../service-names.ts'
import type { Progress } from '../terminal.ts'
import { keepPostgres } from './keep-postgres.ts'
import { watchRoom, type RoomWatch } from './room-watch.ts'
import { isDurable, readServerState, refuseUnfitServer } from './server-state.ts'

export interface DatabaseDeps {
  readonly life: Life
  readonly progress: Progress
  readonly log: Log
  readonly clock: Clock
  /** Ends the waits of a start. */
  readonly stop?: AbortSignal | undefined
}

/** Where the database is embedded, its data directory belongs to this process until the end. */
export async function holdOwnData({ dataDir, database }: Configuration, life: Life): Promise<void> {
  if (database.url !== undefined) return
  const held = await holdDataDir(dataDir)
  life.started('data directory', () => held.release())
}

/** The address of the database that this start works on: the one named, or the embedded one, started if need be. */
export async function databaseUrl(
  configuration: Configuration,
  { life, progress, log, clock, stop }: DatabaseDeps,
): Promise<string> {
  if (configuration.database.url !== undefined) return configuration.database.url
  progress.step('Starting PostgreSQL')
  const postgres = await keepPostgres(configuration, {
    life,
    log,
    clock,
    stop,
    onProgress: (text) => progress.step(text),
  })
  return postgres.url
}

/** The kit's tables first, then each service's, which lie in a PostgreSQL schema of its name. */
export function migrationSets(names: readonly ServiceName[]): MigrationSet[] {
  const folderOf = (name: ServiceName) => new URL(`../../../services/${name}/migrations/`, import.meta.url)
  return [kitMigrations, signInMigrations, ...names.map((name) => ({ owner: name, folder: folderOf(name) }))]
}

/** Every file that takes its time is told by its name: an index over a country's records may be built for an hour. */
export function bringUpToDate(
  url: string,
  names: readonly ServiceName[],
  { progress, stop }: Pick<DatabaseDeps, 'progress' | 'stop'>,
): Promise<Migration[]> {
  const doing = 'Bringing the database up to date'
  progress.step(doing)
  return migrate(url, migrationSets(names), {
    stop,
    onWaiting: () => progress.step(`${doing}: another copy is at it`),
    onBegun: ({ file }) => progress.step(`${doing}: ${file}`),
    onMadeWay: ({ file }) => progress.step(`${doing}: ${file} waits for tables that somebody else uses`),
  })
}

/** A migrated database, open for the services, and whether it has room. */
export async function openCorridorDatabase(
  configuration: Configuration,
  names: readonly ServiceName[],
  deps: DatabaseDeps & { readonly metrics: Metrics },
): Promise<RoomWatch> {
  const url = await databaseUrl(configuration, deps)
  const database = await openDatabase({
    url,
    poolMax: configuration.database.poolMax,
    statementTimeoutMs: configuration.database.statementTimeoutMs,
    applicationName: 'corridor',
    log: deps.log,
    metrics: deps.metrics,
    clock: deps.clock,
  })
  deps.life.started('database connections', () => database.close())
  await checkServer(database, configuration, deps.log)
  const applied = await bringUpToDate(url, names, deps)
  if (applied.length > 0) deps.log.info('migrated', { count: applied.length })
  return watchRoom(database, deps)
}

/** Before anything is written. */
async function checkServer(database: Database, configuration: Configuration, log: Log): Promise<void> {
  const state = await readServerState(database)
  refuseUnfitServer(state)
  // What a test or a demo is given may forget; a hospital's may not, and hears of it at each start.
  if (configuration.mode === 'production' && !isDurable(state))
    log.error('the database can lose what it has confirmed: turn fsync, full_page_writes and synchronous_commit on')
  const lost = await lostSettings(database, configuration.database)
  if (lost.length > 0) log.error('sessions of the database are not as they were told', { error: lost.join('; ') })
}
