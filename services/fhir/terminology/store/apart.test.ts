import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { silentLog } from '../../../../packages/log/log.ts'
import { openDatabase } from '../../../../packages/sql/database.ts'
import { kitMigrations, migrate } from '../../../../packages/sql/migrate/migrate.ts'
import { json, sql } from '../../../../packages/sql/sql.ts'
import { testDatabase } from '../../../../packages/testkit/test-database.ts'
import { fhirMigrations } from '../../testing/fhir-database.ts'
import { loadedTerminology } from './loaded-terminology.ts'
import { namedInSets } from './named-in-sets.ts'
import { recordedTerminology } from './recorded-terminology.ts'

it('what the record had brought in before it stood apart is found there, and what was loaded stays', async () => {
  await using server = await testDatabase()
  await using before = await migrationsBefore('0010')
  await migrate(server.url, [kitMigrations, { owner: 'fhir', folder: before.folder }])
  const database = await openDatabase({ url: server.url, log: silentLog })
  await using _closing = { [Symbol.asyncDispose]: () => database.close() }
  await database.run(sql`
    insert into fhir.terminology_resources (url, type, name, version, complete, content, loaded_at, resource_id) values
      ('urn:loaded', 'CodeSystem', 'Loaded', null, true, null, now(), null),
      ('urn:written', 'CodeSystem', 'Written', '1', true, null, now(), 'x'),
      ('urn:map', 'ConceptMap', 'Map', null, true, null, now(), 'm')`)
  await database.run(sql`
    insert into fhir.terminology_concepts (system, code, seq) values ('urn:loaded', 'a', 0), ('urn:written', 'b', 0)`)
  await database.run(sql`
    insert into fhir.terminology_mappings (map, source_system, source_code, target_system, target_code, equivalence)
    values ('urn:map', 'urn:s', 'c', 'urn:t', 'd', 'equal')`)
  await migrate(server.url, [kitMigrations, fhirMigrations])
  const [loaded, recorded] = [loadedTerminology(database), recordedTerminology(database)]
  const codes = async (system: string) =>
    Promise.all([loaded, recorded].map(async (source) => (await source.concepts(system))?.map(({ code }) => code)))
  expect(await codes('urn:loaded')).toEqual([['a'], undefined])
  expect(await codes('urn:written')).toEqual([undefined, ['b']])
  expect(await recorded.codeSystem('urn:written')).toMatchObject({ version: '1', isComplete: true })
  const asked = { system: 'urn:s', code: 'c' }
  expect([await loaded.mappings(asked), await recorded.mappings(asked)]).toMatchObject([[], [{ code: 'd' }]])
})

it('what value sets had put among the codes of code systems is only named by them afterwards', async () => {
  await using server = await testDatabase()
  await using before = await migrationsBefore('0011')
  await migrate(server.url, [kitMigrations, { owner: 'fhir', folder: before.folder }])
  const database = await openDatabase({ url: server.url, log: silentLog })
  await using _closing = { [Symbol.asyncDispose]: () => database.close() }
  const include = ['urn:unknown', 'urn:table', 'urn:whole'].map((system) => ({
    system,
    codes: [
      ['a', 'Set A'],
      ['n', null],
    ],
  }))
  await database.run(sql`
    insert into fhir.terminology_resources (url, type, name, version, complete, content, loaded_at) values
      ('urn:set', 'ValueSet', 'Set', null, true, ${json({ url: 'urn:set', include })}, now()),
      ('urn:branch', 'ValueSet', 'Branch', null, true, ${json({ url: 'urn:branch', include: [{ system: 'urn:whole' }] })},
        now()),
      ('urn:unknown', 'CodeSystem', 'urn:unknown', null, false, null, now()),
      ('urn:table', 'CodeSystem', 'urn:table', null, false, null, now()),
      ('urn:whole', 'CodeSystem', 'Whole', '1', true, null, now())`)
  await database.run(sql`
    insert into fhir.terminology_concepts (system, code, display, seq) values
      ('urn:unknown', 'a', 'Set A', 0), ('urn:unknown', 'n', null, 1),
      ('urn:table', 'a', 'Set A', 0), ('urn:table', 'b', 'Table B', 1),
      ('urn:whole', 'a', 'Whole A', 0)`)
  await migrate(server.url, [kitMigrations, fhirMigrations])
  const [loaded, named] = [loadedTerminology(database), namedInSets(database)]
  const codes = async (system: string) =>
    Promise.all([loaded, named].map(async (source) => (await source.concepts(system))?.map((one) => one.display)))
  expect(await codes('urn:unknown')).toEqual([undefined, ['Set A']])
  expect(await codes('urn:table')).toEqual([['Table B'], ['Set A']])
  expect(await codes('urn:whole')).toEqual([['Whole A'], ['Set A']])
})

/** The migrations up to one, as a version that did not have it yet. */
async function migrationsBefore(number: string): Promise<AsyncDisposable & { readonly folder: URL }> {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  for (const name of (await readdir(fhirMigrations.folder)).filter((one) => one < number)) {
    await cp(new URL(name, fhirMigrations.folder), join(folder, name))
  }
  return {
    folder: pathToFileURL(`${folder}/`),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}
