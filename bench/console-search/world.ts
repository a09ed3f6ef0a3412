import { silentLog } from '../../packages/log/log.ts'
import { openDatabase, type Database } from '../../packages/sql/database.ts'
import { kitMigrations, migrate } from '../../packages/sql/migrate/migrate.ts'
import { fillLog } from '../bridge/fill-log.ts'
import { startDurableDatabase } from '../harness/durable-database.ts'

export interface LogWorld extends AsyncDisposable {
  readonly database: Database
}

/** A search for text looks through the newest 50,000; the bytes of older ones would only fill the disk. */
const withBytes = 100_000

/** The transaction log with this many messages of a month, forty facilities and fifty thousand patients. */
export async function logWorld(transactions: number, progress: (text: string) => void): Promise<LogWorld> {
  await using stack = new AsyncDisposableStack()
  const { url } = stack.use(await startDurableDatabase(progress))
  const folder = new URL('../../services/bridge/migrations/', import.meta.url)
  await migrate(url, [kitMigrations, { owner: 'bridge', folder }])
  const database = await openDatabase({ url, poolMax: 4, statementTimeoutMs: 600_000, log: silentLog })
  stack.defer(() => database.close())
  await fillLog({ transactions, withBytes, firstAt: new Date('2026-03-01'), days: 28 }, { database, progress })
  const owned = stack.move()
  return { database, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
