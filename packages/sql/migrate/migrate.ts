import { Client } from 'pg'
import { systemIds, type Ids } from '../../clock/ids.ts'
import { bug, unavailable, type Fault } from '../../faults/fault.ts'
import { cannotConnect, connectionConfig } from '../connection.ts'
import { databaseFault, outcomeUnknown } from '../database-fault.ts'
import { readMigrations, type Migration, type MigrationSet } from './migration-files.ts'
import {
  holdMigrationLock,
  makeMigrationTables,
  releaseMigrationLock,
  takeMigrationLock,
  type LockDeps,
} from './migration-lock.ts'
import { pendingOf, readApplied } from './migration-state.ts'
import { cancelAtStop } from './cancel-at-stop.ts'
import { isConnectionLoss, sqlErrorOf } from '../sql-error.ts'

export type { Migration, MigrationSet } from './migration-files.ts'

/** The tables of this package itself: outbox and jobs. Give it first. */
export const kitMigrations: MigrationSet = { owner: 'kit', folder: new URL('../migrations/', import.meta.url) }

interface MigrateDeps extends LockDeps {
  readonly ids?: Ids
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
  const { ids = systemIds, onApplied = () => {}, stop } = deps
  const migrations = await readAll(sets)
  const work = async (client: Client) => {
    const pending = async () => pendingOf(migrations, await readApplied(client))
    if ((await pending()).length === 0) return []
    await makeMigrationTables(client)
    const holder = ids.uuid()
    const applied: Migration[] = []
    try {
      await takeMigrationLock(client, holder, { ...deps, url })
      for (let next = await pending(); next[0] !== undefined; next = await pending()) {
        stop?.throwIfAborted()
        if (await apply(client, next[0], holder, { url, stop })) {
          applied.push(next[0])
          onApplied(next[0])
        } else {
          await takeMigrationLock(client, holder, { ...deps, url }) // the lease passed between two files and a rival took it
        }
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
  const client = new Client(connectionConfig({ url, applicationName: 'corridor migrate', statementTimeoutMs: 0 }))
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

/** False when the lock is no longer ours; then nothing was changed. */
async function apply(
  client: Client,
  migration: Migration,
  holder: string,
  { url, stop }: { readonly url: string; readonly stop: AbortSignal | undefined },
): Promise<boolean> {
  await client.query('begin')
  if (!(await holdMigrationLock(client, holder))) {
    await client.query('rollback')
    return false
  }
  try {
    if (migration.number === 1) {
      await client.query(`create schema if not exists ${client.escapeIdentifier(migration.owner)}`)
    }
    // With no search path a table whose schema was not written out is an error, wherever the file is run.
    await client.query(`set local search_path = ''`)
    await using _cancelling = stop === undefined ? undefined : await cancelAtStop(client, url, stop)
    await client.query(migration.text)
  } catch (thrown) {
    throw failedFile(migration, thrown)
  }
  if (client.getTransactionStatus() !== 'T') {
    throw bug(`Migration ${migration.file} ends its transaction itself. Take begin, commit and rollback out of it.`)
  }
  await client.query(
    `insert into kit.migrations (owner, number, name, checksum, applied_at)
     values ($1, $2, $3, $4, clock_timestamp())`,
    [migration.owner, migration.number, migration.name, migration.checksum],
  )
  await commit(client)
  return true
}

async function commit(client: Client): Promise<void> {
  try {
    const { command } = await client.query('commit')
    if (command !== 'COMMIT') throw bug(`COMMIT of a migration was answered with ${command}`)
  } catch (thrown) {
    throw isConnectionLoss(thrown) ? outcomeUnknown(thrown) : thrown
  }
}

function failedFile({ file, text }: Migration, thrown: unknown): Fault {
  const refused = sqlErrorOf(thrown)
  if (refused === undefined || isConnectionLoss(refused) || refused.sqlState === '42501') return databaseFault(thrown)
  const line = refused.position === undefined ? '' : ` at line ${text.slice(0, refused.position).split('\n').length}`
  return bug(`Migration ${file} failed${line}: ${refused.message} (SQLSTATE ${refused.sqlState}).`, { cause: refused })
}

const notAllowed = () =>
  unavailable(
    'The database user may not change the schema. Grant it CREATE on the database, or migrate as its owner.',
    { code: 'MIGRATION_NOT_ALLOWED' },
  )
