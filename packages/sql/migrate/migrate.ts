import type { Client } from 'pg'
import { systemIds, type Ids } from '../../clock/ids.ts'
import { unavailable } from '../../faults/fault.ts'
import { TidyClient } from '../client.ts'
import { cannotConnect, connectionConfig } from '../connection.ts'
import { databaseFault } from '../database-fault.ts'
import { applyFile, type ApplyOptions } from './apply-file.ts'
import { readMigrations, type Migration, type MigrationSet } from './migration-files.ts'
import { makeMigrationTables, releaseMigrationLock, takeMigrationLock, type LockDeps } from './migration-lock.ts'
import { pendingOf, readApplied } from './migration-state.ts'
import { patienceWithUsers } from './patience.ts'
import { sqlErrorOf } from '../sql-error.ts'

export type { Migration, MigrationSet } from './migration-files.ts'

/** The tables of this package itself: outbox and jobs. Give it first. */
export const kitMigrations: MigrationSet = { owner: 'kit', folder: new URL('../migrations/', import.meta.url) }

interface MigrateDeps extends LockDeps, Pick<ApplyOptions, 'lineMaxMs'> {
  readonly ids?: Ids
  /** A file is begun, also once more where it had to make way. */
  readonly onBegun?: (migration: Migration) => void
  /** A file found its tables in use and made way; it is tried again. */
  readonly onMadeWay?: (migration: Migration) => void
  readonly onApplied?: (migration: Migration) => void
}

/**
 * Brings the database to these files: each one in its own transaction together with its row, in order, once, however
 * many copies start at the same moment. Answers with what this copy applied. A stop takes back the file in work; what was
 * applied before it stays.
 */
export async function migrate(
  url: string,
  sets: readonly MigrationSet[],
  deps: MigrateDeps = {},
): Promise<Migration[]> {
  const { ids = systemIds, onBegun = () => {}, onMadeWay = () => {}, onApplied = () => {}, stop } = deps
  const migrations = await readAll(sets)
  const work = async (client: Client) => {
    const pending = async () => pendingOf(migrations, await readApplied(client))
    if ((await pending()).length === 0) return []
    await makeMigrationTables(client)
    const holder = ids.uuid()
    const applied: Migration[] = []
    const patience = patienceWithUsers(deps)
    try {
      await takeMigrationLock(client, holder, { ...deps, url })
      for (let next = await pending(); next[0] !== undefined; next = await pending()) {
        stop?.throwIfAborted()
        onBegun(next[0])
        const outcome = await applyFile(client, next[0], holder, { ...deps, url })
        if (outcome === 'applied') {
          applied.push(next[0])
          onApplied(next[0])
          continue
        }
        if (outcome === 'made way') {
          onMadeWay(next[0])
          await patience(next[0])
        }
        await takeMigrationLock(client, holder, { ...deps, url }) // a rival may have taken it since
      }
    } finally {
      await releaseMigrationLock(client, holder)
    }
    return applied
  }
  return withClient(url, work, stop)
}

/** What `migrate` would run now; for `doctor` and `migrate --check`. Refuses the same databases. */
export async function pendingMigrations(url: string, sets: readonly MigrationSet[]): Promise<Migration[]> {
  const migrations = await readAll(sets)
  return withClient(url, async (client) => pendingOf(migrations, await readApplied(client)))
}

async function readAll(sets: readonly MigrationSet[]): Promise<Migration[]> {
  return (await Promise.all(sets.map(readMigrations))).flat()
}

/** A connection of its own without a statement limit: building an index may take long. */
async function withClient<T>(url: string, work: (client: Client) => Promise<T>, stop?: AbortSignal): Promise<T> {
  const client = new TidyClient(connectionConfig({ url, applicationName: 'corridor migrate', statementTimeoutMs: 0 }))
  client.on('error', () => {}) // the statement in flight reports it
  try {
    await client.connect()
  } catch (thrown) {
    throw cannotConnect(url, thrown)
  }
  try {
    return await work(client)
  } catch (thrown) {
    stop?.throwIfAborted()
    if (sqlErrorOf(thrown)?.sqlState === '42501') throw notAllowed()
    throw databaseFault(thrown)
  } finally {
    await client.end()
  }
}

const notAllowed = () =>
  unavailable(
    'The database user may not change the schema. Grant it CREATE on the database, or migrate as its owner.',
    { code: 'MIGRATION_NOT_ALLOWED' },
  )
