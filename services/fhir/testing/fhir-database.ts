import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { kitMigrations, migrate } from '../../../packages/sql/migrate/migrate.ts'
import { templateDatabase, testDatabase } from '../../../packages/testkit/test-database.ts'

export const fhirMigrations = { owner: 'fhir', folder: new URL('../migrations/', import.meta.url) }

/** A migrated database of the test's own. */
export async function fhirDatabase(): Promise<AsyncDisposable & { readonly database: Database; readonly url: string }> {
  const template = await templateDatabase('fhir', async (url) => {
    await migrate(url, [kitMigrations, fhirMigrations])
  })
  const server = await testDatabase({ template })
  const database = await openDatabase({ url: server.url, log: silentLog, poolMax: 8 })
  return {
    database,
    url: server.url,
    async [Symbol.asyncDispose]() {
      await database.close()
      await server[Symbol.asyncDispose]()
    },
  }
}
