import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { kitMigrations, migrate } from '../../../packages/sql/migrate/migrate.ts'
import { testDatabase } from '../../../packages/testkit/test-database.ts'
import { fhirMigrations } from './fhir-database.ts'

/** A database of the test's own with the tables as they once were, up to and with that migration. */
export async function databaseUpTo(
  last: number,
): Promise<AsyncDisposable & { readonly database: Database; readonly url: string }> {
  await using stack = new AsyncDisposableStack()
  const { url } = stack.use(await testDatabase())
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  stack.defer(() => rm(folder, { recursive: true }))
  const { folder: all } = fhirMigrations
  const names = (await readdir(all)).filter((name) => Number(name.slice(0, 4)) <= last)
  for (const name of names) await copyFile(new URL(name, all), join(folder, name))
  await migrate(url, [kitMigrations, { owner: 'fhir', folder: pathToFileURL(`${folder}/`) }])
  const database = await openDatabase({ url, log: silentLog, poolMax: 2 })
  stack.defer(() => database.close())
  const owned = stack.move()
  return { database, url, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
