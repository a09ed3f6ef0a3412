import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { kitMigrations, migrate } from '../../../packages/sql/migrate/migrate.ts'
import { templateDatabase, testDatabase } from '../../../packages/testkit/test-database.ts'

export interface ConsentDatabase extends AsyncDisposable {
  readonly url: string
  readonly database: Database
}

/** A database of the test's own with the tables of the consent service. */
export async function consentDatabase(): Promise<ConsentDatabase> {
  const template = await templateDatabase('consent', async (url) => {
    await migrate(url, [kitMigrations, { owner: 'consent', folder: new URL('../migrations/', import.meta.url) }])
  })
  const made = await testDatabase({ template })
  const database = await openDatabase({ url: made.url, poolMax: 4, log: silentLog })
  return {
    url: made.url,
    database,
    async [Symbol.asyncDispose]() {
      await database.close()
      await made.drop()
    },
  }
}
