import type { Client } from 'pg'
import { conflict } from '../../faults/fault.ts'
import type { Migration } from './migration-files.ts'

interface AppliedMigration {
  readonly owner: string
  readonly number: number
  readonly name: string
  readonly checksum: string
}

/** What the database says was applied; nothing when it has never seen a migration. */
export async function readApplied(client: Client): Promise<AppliedMigration[]> {
  const known = await client.query<{ table: string | null }>(`select to_regclass('kit.migrations')::text as table`)
  if (known.rows[0]?.table === null) return []
  const { rows } = await client.query<AppliedMigration>(
    'select owner, number, name, checksum from kit.migrations order by owner, number',
  )
  return rows
}

/** The files that are still to run, in order. A database that does not fit these files is refused before any runs. */
export function pendingOf(migrations: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const done = new Map(applied.map((row) => [`${row.owner}/${row.number}`, row]))
  const files = new Set(migrations.map(({ owner, number }) => `${owner}/${number}`))
  const owners = new Set(migrations.map(({ owner }) => owner))
  for (const { owner, number, name } of applied) {
    if (owners.has(owner) && !files.has(`${owner}/${number}`)) throw newerDatabase(`${owner}/${name}`)
  }
  const pending: Migration[] = []
  for (const migration of migrations) {
    const row = done.get(`${migration.owner}/${migration.number}`)
    if (row === undefined) pending.push(migration)
    else if (row.checksum !== migration.checksum) throw changedFile(migration.file)
    else if (pending.at(-1)?.owner === migration.owner) throw missedFile(pending.at(-1)?.file ?? '', migration.file)
  }
  return pending
}

const newerDatabase = (file: string) =>
  conflict(
    `The database is newer than this Corridor: it has ${file}, which this version does not know. ` +
      'Start the version that made it, or restore a backup from before.',
    { code: 'DATABASE_NEWER' },
  )

const changedFile = (file: string) =>
  conflict(
    `Migration ${file} was changed after it was applied. ` +
      'Restore the file as it was and put the change into a new file.',
    { code: 'MIGRATION_CHANGED' },
  )

const missedFile = (missed: string, later: string) =>
  conflict(
    `Migration ${missed} was never applied to this database, but ${later} was. ` +
      'Restore a backup, or bring the table kit.migrations in order by hand.',
    { code: 'MIGRATION_MISSED' },
  )
