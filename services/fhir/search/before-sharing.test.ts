import { expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { loadDefinitions } from '../../../packages/fhir/definitions.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { kitMigrations, migrate } from '../../../packages/sql/migrate/migrate.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { fullAccess } from '../scopes/access.ts'
import type { Change } from '../store/change.ts'
import { contentOf } from '../store/content.ts'
import { indexKinds } from '../store/index-kinds.ts'
import { createIndexOf, unsharedIndex, type IndexOf } from '../store/index-rows.ts'
import { indexInsertion } from '../store/index-tables.ts'
import { resourceKey } from '../store/keys.ts'
import { SharedSets } from '../store/shared-sets.ts'
import { writeAll } from '../store/write.ts'
import { fhirMigrations } from '../testing/fhir-database.ts'
import { databaseUpTo } from '../testing/migrations-up-to.ts'
import { requiredValueSets } from './testing/required-value-sets.ts'
import { createSearchEngine } from './search-engine.ts'
import { auditEvents } from './testing/audit-log.ts'
import { base, namesOf, type TestResource } from './testing/search-world.ts'

it('AuditEvents from before migration 0009 are found after it, beside new ones', async () => {
  await using before = await databaseUpTo(8)
  const { database, url } = before
  const definitions = await loadDefinitions()
  const clock = systemClock
  const engine = createSearchEngine({ definitions, valueSets: requiredValueSets(definitions), clock, ownBases: [base] })
  const indexOf = createIndexOf(definitions, { ownBases: [base] })

  for (const event of auditEvents.slice(0, 7)) await writeAsBefore(event, indexOf, database)
  await migrate(url, [kitMigrations, fhirMigrations])
  const changes = auditEvents.slice(7).map(({ id, ...resource }): Change => {
    const target = { kind: 'id', id, mayCreate: true, isNewId: true } as const
    const body = { resource, index: indexOf('AuditEvent', resource) }
    return { method: 'POST', type: 'AuditEvent', target, body, access: fullAccess }
  })
  await database.transaction((tx) => writeAll(changes, tx, { engine, clock, sets: new SharedSets({ clock }) }))

  const find = async (query: string) => {
    const search = { type: 'AuditEvent', query, access: fullAccess, isStrict: true, base }
    return namesOf(await engine.search(search, database), 'match')
  }
  const those = (isWanted: (event: TestResource) => boolean) =>
    auditEvents
      .filter(isWanted)
      .map(({ id }) => `AuditEvent/${id}`)
      .sort()
  for (const action of ['C', 'R', 'D']) {
    expect(await find(`action=${action}`)).toEqual(those((event) => event['action'] === action))
    expect(await find(`action:not=${action}`)).toEqual(those((event) => event['action'] !== action))
  }
  expect(await find('site:missing=true&_sort=address')).toEqual(those(({ source }) => !('site' in Object(source))))
})

/** What the version before left of an event. */
async function writeAsBefore({ id, ...resource }: TestResource, indexOf: IndexOf, on: Database): Promise<void> {
  const key = resourceKey('AuditEvent', id)
  const { rows, hashes } = unsharedIndex(indexOf('AuditEvent', resource))
  const content = contentOf(resource, { id, version: 1, lastUpdated: new Date('2024-05-01T00:00:00Z') })
  await on.run(sql`
    insert into fhir.resources (key, type, id, version, last_updated, deleted, index_hashes)
    values (${key}::bigint, 'AuditEvent', ${id}, 1, '2024-05-01', false, ${hashes}::bigint[])`)
  await on.run(sql`
    insert into fhir.versions (key, version, type, id, last_updated, method, patients, content)
    values (${key}::bigint, 1, 'AuditEvent', ${id}, '2024-05-01', 'POST', '{}', ${content})`)
  for (const kind of indexKinds) {
    if (rows[kind].length === 0) continue
    await on.run(
      indexInsertion(
        kind,
        rows[kind].map((cells) => ({ key, cells })),
      ),
    )
  }
}
