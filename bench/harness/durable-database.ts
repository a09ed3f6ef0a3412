import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { silentLog } from '../../packages/log/log.ts'
import { ensurePostgres } from '../../packages/postgres/ensure.ts'

export interface DurableDatabase extends AsyncDisposable {
  readonly url: string
  /** Where its files lie; whatever else is put there goes with it. */
  readonly folder: string
}

/**
 * A new embedded PostgreSQL with its durable settings. It lies in the project's `data` folder, on the disk that Corridor
 * itself would use: the system's temporary folder may be memory, where forcing to disk costs nothing.
 */
export async function startDurableDatabase(progress: (text: string) => void): Promise<DurableDatabase> {
  const parent = resolve('data')
  await mkdir(parent, { recursive: true })
  const dataDir = await mkdtemp(join(parent, 'bench-'))
  const removeData = () => rm(dataDir, { recursive: true, force: true })
  try {
    const postgres = await ensurePostgres({ dataDir, log: silentLog, onProgress: progress })
    return {
      url: postgres.url,
      folder: dataDir,
      async [Symbol.asyncDispose]() {
        await postgres.stop()
        await removeData()
      },
    }
  } catch (error) {
    await removeData()
    throw error
  }
}
