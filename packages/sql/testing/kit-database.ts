import { silentLog } from '../../log/log.ts'
import { testDatabase } from '../../testkit/test-database.ts'
import { openDatabase, type Database } from '../database.ts'
import { kitMigrations, migrate } from '../migrate/migrate.ts'

export interface KitDatabase {
  readonly url: string
  readonly database: Database
  /** Ends the connections and drops it. */
  drop(): Promise<void>
}

/** A database of its own that has the tables of outbox and jobs. */
export async function kitDatabase(): Promise<KitDatabase> {
  const server = await testDatabase()
  const { url } = server
  await migrate(url, [kitMigrations])
  const database = await openDatabase({ url, poolMax: 10, log: silentLog })
  return {
    url,
    database,
    async drop() {
      await database.close()
      await server.drop()
    },
  }
}
