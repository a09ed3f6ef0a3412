import { kitMigrations, migrate } from '../../../packages/sql/migrate.ts'
import { templateDatabase, testDatabase, type TestDatabase } from '../../../packages/testkit/test-database.ts'

const folder = new URL('../migrations/', import.meta.url)

/** A database with the bridge's tables and nothing in them. */
export async function bridgeDatabase(): Promise<TestDatabase> {
  const template = await templateDatabase('bridge', async (url) => {
    await migrate(url, [kitMigrations, { owner: 'bridge', folder }])
  })
  return testDatabase({ template })
}
