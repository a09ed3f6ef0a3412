import { rm } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { fold } from '../../../packages/fhir/fold.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase } from '../../../packages/sql/database.ts'
import { kitMigrations, migrate } from '../../../packages/sql/migrate/migrate.ts'
import { json, sql } from '../../../packages/sql/sql.ts'
import { testDatabase } from '../../../packages/testkit/test-database.ts'
import { blockingKeys } from '../patient-index/blocking-keys.ts'
import { personOf } from '../patient-index/person.ts'
import { fhirMigrations } from '../testing/fhir-database.ts'
import { migrationsUpTo } from '../testing/migrations-up-to.ts'

it('texts that were folded before migration 0016 are after it what they would be if they were written now', async () => {
  await using stack = new AsyncDisposableStack()
  const { url } = stack.use(await testDatabase())
  const before = await migrationsUpTo(15)
  stack.defer(() => rm(before.folder, { recursive: true }))
  await migrate(url, [kitMigrations, before])
  const database = await openDatabase({ url, log: silentLog, poolMax: 2 })
  stack.defer(() => database.close())

  // As the version before folded them: a last sigma stays one, and so does what nobody sees.
  const folded = ['νικος', 'amina', '\u200fعلي', 'محـــمد', 'kar\u00adin']
  await database.run(sql`
    insert into fhir.strings (key, param, seq, folded, text)
    select place, 1, 0, one, one from unnest(${folded}::text[]) with ordinality as texts (one, place)`)
  await database.run(sql`
    insert into fhir.tokens (key, param, seq, system, text)
    select place, 1, 0, 0, one from unnest(${folded}::text[]) with ordinality as texts (one, place)`)
  const person = personOf({
    ...{ resourceType: 'Patient', name: [{ family: 'Παππάς', given: ['Νίκος'] }], birthDate: '1984-03-12' },
    identifier: [{ system: 'urn:central', value: 'Ας-1' }],
  })
  const names = [{ family: 'παππας', given: 'νικος' }]
  const keys = blockingKeys({ ...person, names })
  await database.run(sql`
    insert into fhir.index_people (patient_id, golden_id, provisional, fingerprint, person, name_parts)
    values ('p', 'p', false, 1, ${json({ ...person, names })}, array['παππας', 'νικος'])`)
  await database.run(sql`
    insert into fhir.index_keys (key, patient_id, born) select key, 'p', '1984' from unnest(${keys}::text[]) as own (key)`)

  await migrate(url, [kitMigrations, fhirMigrations])
  const texts = (of: 'strings' | 'tokens') =>
    database.many<{ text: string }>(
      of === 'strings'
        ? sql`select folded as text from fhir.strings order by key`
        : sql`select text from fhir.tokens order by key`,
    )
  const now = folded.map(fold).map((text) => ({ text }))
  expect([await texts('strings'), await texts('tokens')]).toEqual([now, now])
  const people = await database.many<{ person: string; parts: string[] }>(
    sql`select person, name_parts as parts from fhir.index_people`,
  )
  expect(people.map((row) => ({ ...row, person: JSON.parse(row.person) as unknown }))).toEqual([
    { person: JSON.parse(JSON.stringify(person)) as unknown, parts: ['παππασ', 'νικοσ'] },
  ])
  const kept = await database.many<{ key: string; born: string }>(sql`select key, born from fhir.index_keys`)
  expect(kept.map(({ key }) => key).sort()).toEqual(blockingKeys(person).sort())
  expect(new Set(kept.map(({ born }) => born))).toEqual(new Set(['1984']))
})
