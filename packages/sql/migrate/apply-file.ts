import type { Client } from 'pg'
import { bug, type Fault } from '../../faults/fault.ts'
import { databaseFault, outcomeUnknown } from '../database-fault.ts'
import { isConnectionLoss, sqlErrorOf } from '../sql-error.ts'
import { cancelAtStop } from './cancel-at-stop.ts'
import type { Migration } from './migration-files.ts'
import { holdMigrationLock } from './migration-lock.ts'

export interface ApplyOptions {
  readonly url: string
  readonly stop?: AbortSignal | undefined
  /** How long a file stands in line for a table before it makes way. */
  readonly lineMaxMs?: number
}

/**
 * Everything or nothing of a file: nothing where the lock is no longer ours, and where its tables are in use for longer
 * than it may stand in line for them. Whoever wants them after it stands behind it, and so would every message while a
 * backup reads for an hour (decision 1328).
 */
export async function applyFile(
  client: Client,
  migration: Migration,
  holder: string,
  { url, stop, lineMaxMs = 2_000 }: ApplyOptions,
): Promise<'applied' | 'made way' | 'lost the lock'> {
  await client.query('begin')
  if (!(await holdMigrationLock(client, holder))) {
    await client.query('rollback')
    return 'lost the lock'
  }
  try {
    await client.query(`select set_config('lock_timeout', $1, true)`, [`${lineMaxMs}ms`])
    if (migration.number === 1) {
      await client.query(`create schema if not exists ${client.escapeIdentifier(migration.owner)}`)
    }
    // With no search path a table whose schema was not written out is an error, wherever the file is run.
    await client.query(`set local search_path = ''`)
    await using _cancelling = stop === undefined ? undefined : await cancelAtStop(client, url, stop)
    await client.query(migration.text)
  } catch (thrown) {
    if (!isInUse(thrown)) throw failedFile(migration, thrown)
    await client.query('rollback')
    return 'made way'
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
  return 'applied'
}

/** The line was too long, or a circle was cut: whoever is at work goes first. */
function isInUse(thrown: unknown): boolean {
  const { sqlState } = sqlErrorOf(thrown) ?? {}
  return sqlState === '55P03' || sqlState === '40P01'
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
