import { expect, it } from 'vitest'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase } from '../../packages/sql/database.ts'
import { migrate } from '../../packages/sql/migrate/migrate.ts'
import { readMigrations } from '../../packages/sql/migrate/migration-files.ts'
import { schemaDump } from '../../packages/sql/migrate/schema-dump.ts'
import { testDatabase } from '../../packages/testkit/test-database.ts'
import { migrationSets } from './run/corridor-database.ts'
import { serviceNames } from './service-names.ts'

// The dump shows in a review what a migration does to the whole. After a new migration: npm test -- apps/corridor/schema -u
it('all migrations together make the schema that is checked in', async () => {
  await using fresh = await testDatabase()
  await migrate(fresh.url, migrationSets(serviceNames))
  const database = await openDatabase({ url: fresh.url, log: silentLog })
  try {
    await expect(await schemaDump(database)).toMatchFileSnapshot('./schema.txt')
  } finally {
    await database.close()
  }
})

// Copies of the version before go on while the new one migrates (docs/operations.md, Upgrade): what they write must have its
// place. A column goes one version after the last that wrote it; then its file is added here.
it('no migration takes away what a version that still runs may write', async () => {
  const migrations = (await Promise.all(migrationSets(serviceNames).map(readMigrations))).flat()
  const takes = /\b(drop (table|column|schema)|rename|set not null|alter column \w+ (set data )?type)\b/i
  const files = migrations.filter(({ text }) => takes.test(text.replaceAll(/--.*$/gm, ''))).map(({ file }) => file)
  expect(files).toEqual([
    // Before any release.
    'kit/0002-payloads-as-they-are-written.sql',
    'bridge/0006-retry-run-messages.sql',
    'bridge/0013-what-nobody-reads.sql',
  ])
})
