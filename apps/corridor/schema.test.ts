import { expect, it } from 'vitest'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase } from '../../packages/sql/database.ts'
import { migrate } from '../../packages/sql/migrate/migrate.ts'
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
