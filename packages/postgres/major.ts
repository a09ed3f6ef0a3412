import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unavailable } from '../faults/fault.ts'
import { errorCode } from '../files/error-code.ts'
import type { Layout } from './layout.ts'

/**
 * The major version of PostgreSQL that made this cluster; undefined where none was made yet. A folder without one, or a
 * link that leads nowhere, is a disk that is not mounted: whoever took it for a first start would put an empty cluster
 * in the place of the data. Nor is what a restore has left half-way.
 */
export async function majorOf(layout: Layout): Promise<string | undefined> {
  try {
    return await lookFor(layout)
  } catch (error) {
    throw errorCode(error) === 'EACCES' ? closed(layout.dataDir, error) : error
  }
}

async function lookFor({ cluster, dataDir, restoring }: Layout): Promise<string | undefined> {
  if ((await lstat(restoring).catch(unlessMissing)) !== undefined) throw halfRestored(dataDir)
  const text = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(unlessMissing)
  if (text !== undefined) return text.trim()
  if ((await lstat(cluster).catch(unlessMissing)) === undefined) return undefined
  throw unavailable(
    `${cluster} is there, but holds no data of PostgreSQL. If the data lies on a disk of its own, mount it there; ` +
      'if there is none to keep, remove the name and the next start makes a new database.',
    { code: 'POSTGRES_NO_DATA' },
  )
}

const halfRestored = (dataDir: string) =>
  unavailable(
    `The data directory ${dataDir} is half restored: "corridor restore" is still at work there, or was cut off. Wait for ` +
      'it; where none runs, remove the directory and restore again.',
    { code: 'DATA_DIR_HALF_RESTORED' },
  )

const closed = (dataDir: string, cause: unknown) =>
  unavailable(
    `The data directory ${dataDir} is closed to the user that runs this (id ${process.getuid?.()}). Run it as the user that ` +
      'Corridor runs as, or as root.',
    { code: 'DATA_DIR_CLOSED', cause },
  )

/** In a file there is nothing, either. */
function unlessMissing(error: unknown): undefined {
  const code = errorCode(error)
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
}
