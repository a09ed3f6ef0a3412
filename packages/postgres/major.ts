import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unavailable } from '../faults/fault.ts'
import { errorCode } from '../files/error-code.ts'
import type { Layout } from './layout.ts'

/**
 * The major version of PostgreSQL that made this cluster; undefined where none was made yet. A folder without one, or a
 * link that leads nowhere, is a disk that is not mounted: whoever took it for a first start would put an empty cluster
 * in the place of the data.
 */
export async function majorOf({ cluster }: Layout): Promise<string | undefined> {
  const text = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(unlessMissing)
  if (text !== undefined) return text.trim()
  if ((await lstat(cluster).catch(unlessMissing)) === undefined) return undefined
  throw unavailable(
    `${cluster} is there, but holds no data of PostgreSQL. If the data lies on a disk of its own, mount it there; ` +
      'if there is none to keep, remove the name and the next start makes a new database.',
    { code: 'POSTGRES_NO_DATA' },
  )
}

function unlessMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error
}
