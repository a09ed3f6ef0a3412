import { resolve } from 'node:path'
import { incorrect } from '../../../packages/faults/fault.ts'
import { layoutOf, type Layout } from '../../../packages/postgres/layout.ts'
import type { Configuration } from '../configuration.ts'

/** Where that lies which a backup holds. */
export interface Places {
  readonly layout: Layout
  readonly keyDirectory: string
}

/** @throws Fault where the database is somebody else's, and with it its backup */
export function placesOf({ dataDir, auth, database }: Configuration): Places {
  if (database.url !== undefined) throw notEmbedded(auth.keyDirectory)
  return { layout: layoutOf(dataDir), keyDirectory: resolve(auth.keyDirectory) }
}

const notEmbedded = (keyDirectory: string) =>
  incorrect(
    'database.url names a PostgreSQL of your own, which has tools of its own: pg_basebackup with WAL archiving, or pg_dump ' +
      `and pg_restore. The keys in ${keyDirectory} are copied beside it. See "Backup and restore" in docs/operations.md.`,
    { code: 'BACKUP_NOT_EMBEDDED' },
  )
