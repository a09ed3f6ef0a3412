import { silentLog } from '../../packages/log/log.ts'
import { ensurePostgres } from '../../packages/postgres/ensure.ts'
import { diskFolder } from './disk-folder.ts'

interface DurableDatabase extends AsyncDisposable {
  readonly url: string
  /** Where its files lie; whatever else is put there goes with it. */
  readonly folder: string
}

/** A new embedded PostgreSQL with its durable settings. */
export async function startDurableDatabase(progress: (text: string) => void): Promise<DurableDatabase> {
  await using stack = new AsyncDisposableStack()
  const { path: dataDir } = stack.use(await diskFolder())
  const postgres = await ensurePostgres({ dataDir, log: silentLog, onProgress: progress })
  stack.defer(() => postgres.stop())
  const owned = stack.move()
  return { url: postgres.url, folder: dataDir, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
