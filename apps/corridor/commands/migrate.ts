import { systemClock } from '../../../packages/clock/clock.ts'
import type { Log } from '../../../packages/log/log.ts'
import { migrate as applyMigrations, pendingMigrations, type Migration } from '../../../packages/sql/migrate/migrate.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { schemaDump } from '../../../packages/sql/migrate/schema-dump.ts'
import { corridorConfiguration, type ConfigurationChoice } from '../load-configuration.ts'
import { Life } from '../life.ts'
import { checkMode } from '../production-check.ts'
import { calledAs } from '../run/called-as.ts'
import { commandLog } from '../run/command-log.ts'
import { migrationSets } from '../run/corridor-database.ts'
import { readServerState, refuseUnfitServer } from '../run/server-state.ts'
import { reachDatabase } from '../run/with-database.ts'
import { serviceNames } from '../service-names.ts'
import { makeProgress, type Terminal } from '../terminal.ts'

interface MigrateChoice extends ConfigurationChoice {
  /** Says what would run, and fails when something would; changes nothing. */
  readonly check?: boolean
  /** Prints the schema after migrating, as it is checked in. */
  readonly dump?: boolean
}

export async function migrate(choice: MigrateChoice, terminal: Terminal): Promise<number> {
  const loaded = corridorConfiguration({ ...choice, secretsOf: ['database'] })
  checkMode(loaded)
  const { configuration } = loaded
  const log = commandLog(configuration, terminal)
  const progress = makeProgress(terminal)
  const life = new Life()
  const sets = migrationSets(serviceNames)
  try {
    const url = await reachDatabase(
      configuration,
      { life, progress, log, clock: systemClock },
      { mayBegin: choice.check !== true },
    )
    progress.done()
    await withOpen(url, log, async (database) => refuseUnfitServer(await readServerState(database)))
    if (choice.check === true) return report(await pendingMigrations(url, sets), terminal)
    const applied = await applyMigrations(url, sets, {
      onApplied: ({ file }) => terminal.err(`  ${file}\n`),
    })
    terminal.err(applied.length === 0 ? 'The database is up to date.\n' : `${counted(applied)} applied.\n`)
    if (choice.dump === true) terminal.out(await withOpen(url, log, schemaDump))
    return 0
  } finally {
    progress.done()
    await life.end({ log, clock: systemClock })
  }
}

const counted = ({ length }: readonly Migration[]) => `${length} ${length === 1 ? 'migration' : 'migrations'}`

function report(pending: readonly Migration[], terminal: Terminal): number {
  if (pending.length === 0) {
    terminal.out('The database is up to date.\n')
    return 0
  }
  terminal.out(`${counted(pending)} to be applied. Run ${calledAs()} migrate:\n`)
  for (const { file } of pending) terminal.out(`  ${file}\n`)
  return 1
}

async function withOpen<Result>(url: string, log: Log, work: (database: Database) => Promise<Result>): Promise<Result> {
  const database = await openDatabase({ url, poolMax: 1, applicationName: 'corridor command', log })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
