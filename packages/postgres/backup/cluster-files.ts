import { listTree, type Tree } from '../../files/list-tree.ts'

/** The last of all to be copied: it says which of the others is the newest. */
export const controlFile = 'global/pg_control'

/**
 * What of a running cluster belongs into a base backup, by PostgreSQL's own list (its documentation, "Backing Up the Data
 * Directory"). Folders whose contents belong to one life of a server stay, empty.
 */
export const clusterFiles = (cluster: string): Promise<Tree> => listTree(cluster, isLeftOut)

/** The log of changes comes apart, and only as much as is needed; the others are made anew by every start. */
const emptied: ReadonlySet<string> = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])

const ofOneLife: ReadonlySet<string> = new Set([
  ...['postmaster.pid', 'postmaster.opts', 'current_logfiles', 'current_logfiles.tmp', 'postgresql.auto.conf.tmp'],
  // Of another backup: this one gets its own.
  ...['backup_label', 'tablespace_map', 'backup_manifest'],
  // Corridor's own, while it writes the settings (write-durably.ts).
  'postgresql.conf.new',
])

function isLeftOut(path: string): boolean {
  const parts = path.split('/')
  const name = parts.at(-1) ?? ''
  if (parts.length > 1 && emptied.has(parts[0] ?? '')) return true
  if (parts.length === 1 && (ofOneLife.has(name) || isProbe(name))) return true
  return name.startsWith('pgsql_tmp') || name.startsWith('pg_internal.init') || isTemporaryTable(name)
}

/** What `connectToRunning` of another command has the server read. */
const isProbe = (name: string) => /^corridor\.[\da-f-]{36}$/.test(name)

const isTemporaryTable = (name: string) => /^t\d+_\d+(_[a-z]+)?(\.\d+)?$/.test(name)
