import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { kitMigrations, migrate } from '../../../packages/sql/migrate/migrate.ts'
import { templateDatabase, testDatabase, type TestDatabase } from '../../../packages/testkit/test-database.ts'

const folder = new URL('../migrations/', import.meta.url)

/** A database with the bridge's tables and nothing in them. */
export async function bridgeDatabase(): Promise<TestDatabase> {
  return testDatabase({ template: await templateDatabase('bridge', migrateBridge) })
}

export async function migrateBridge(url: string): Promise<void> {
  await migrate(url, [kitMigrations, { owner: 'bridge', folder }])
}

/** The same with connections to it; closing them drops it. */
export async function openBridgeDatabase(): Promise<{ readonly database: Database; close(): Promise<void> }> {
  const own = await bridgeDatabase()
  const database = await openDatabase({ url: own.url, poolMax: 2, log: silentLog })
  return {
    database,
    async close() {
      await database.close()
      await own.drop()
    },
  }
}
