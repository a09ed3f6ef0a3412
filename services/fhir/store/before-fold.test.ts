import { expect, it } from 'vitest'
import { fold } from '../../../packages/fhir/fold.ts'
import { kitMigrations, migrate } from '../../../packages/sql/migrate/migrate.ts'
import { json, sql } from '../../../packages/sql/sql.ts'
import { blockingKeys } from '../patient-index/blocking-keys.ts'
import { personOf, type Person } from '../patient-index/person.ts'
import { savingPeople } from '../patient-index/store/people.ts'
import { fhirMigrations } from '../testing/fhir-database.ts'
import { databaseUpTo } from '../testing/migrations-up-to.ts'

it('texts that were folded before migration 0016 are after it what they would be if they were written now', async () => {
  await using before = await databaseUpTo(15)
  const { database, url } = before

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

/** As texts were folded before decision 1290. */
const foldedThen = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()

const wordsThen = (text: string) =>
  foldedThen(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

it('texts and people that migration 0016 left behind are after 0017 what they would be if they were written now', async () => {
  await using before = await databaseUpTo(15)
  const { database, url } = before

  const signs = '\u115f\u1160\u3164\uffa0\u180e\ufff0\u{1bca0}\u{1d173}\u{e0001}\u{e0061}\u200e\u2067\u00ad\u061c\u0640'
  const written = [
    ...Array.from(signs).flatMap((sign) => [
      `${sign}Kim${sign}Min`,
      `Amina ${sign} Diallo`,
      `${sign} Amina`,
      `Amina ${sign}`,
    ]),
    'Ὀδυσσεύς',
    `${'a'.repeat(499)} b`,
  ]
  const texts = written.map((text) => foldedThen(text).slice(0, 500))
  await database.run(sql`
    insert into fhir.strings (key, param, seq, folded, text)
    select place, 1, 0, one, one from unnest(${texts}::text[]) with ordinality as texts (one, place)`)
  await database.run(sql`
    insert into fhir.tokens (key, param, seq, system, text)
    select place, 1, 0, 0, one from unnest(${texts}::text[]) with ordinality as texts (one, place)`)
  await database.run(sql`
    insert into fhir.composites (key, param, seq, system_1, text_1, text_2)
    select place, 1, 0, 7, 'code', one from unnest(${texts}::text[]) with ordinality as texts (one, place)`)
  const patients = [
    { family: '김\u3164', given: ['민\u1160준', '\u3164'] },
    { family: 'Kim\u3164', given: ['Quynh-Thị'] },
    { family: '\u3164', given: ['\u115f'] },
    { family: 'محـــمد', given: ['عبد الرحمن', 'Schwarz Wright Knightley'] },
    { family: 'Diallo', given: ['Amina'] },
    // So many that a step which goes through all for each of them does not end in time.
    ...Array.from({ length: 1_000 }, () => ({ family: 'الزهراني', given: ['عبد الرحمن', 'Abdul Rahman'] })),
  ].map((name) => ({ resourceType: 'Patient' as const, name: [name], birthDate: '1984-03-12' }))
  const then = patients.map((patient) => {
    const [{ family, given }] = patient.name as [{ family: string; given: string[] }]
    return { ...personOf(patient), names: [{ family: wordsThen(family), given: wordsThen(given.join(' ')) }] }
  })
  // What is written of people has had one column more since.
  await database.run(sql`alter table fhir.index_people add column was_golden boolean`)
  await database.run(savingPeople(then.map(rowOf)))
  await database.run(sql`alter table fhir.index_people drop column was_golden`)

  await migrate(url, [kitMigrations, fhirMigrations])
  const now = written.map((text) => fold(text).slice(0, 500))
  const tables = {
    strings: sql`select folded as text from fhir.strings order by key`,
    tokens: sql`select text from fhir.tokens order by key`,
    composites: sql`select text_2 as text from fhir.composites order by key`,
  }
  for (const statement of Object.values(tables)) {
    const rows = await database.many<{ text: string }>(statement)
    expect(rows.map(({ text }) => text)).toEqual(now)
  }
  const people = async () => ({
    people: (
      await database.many<{ person: string; parts: string[] }>(
        sql`select person, name_parts as parts from fhir.index_people order by patient_id`,
      )
    ).map(({ person, parts }) => ({ person: JSON.parse(person) as unknown, parts })),
    keys: await database.many(sql`select key, patient_id, born from fhir.index_keys order by patient_id, key`),
  })
  const migrated = await people()
  await database.run(sql`delete from fhir.index_people`)
  await database.run(sql`delete from fhir.index_keys`)
  await database.run(savingPeople(patients.map(personOf).map(rowOf)))
  expect(migrated).toEqual(await people())
})

const rowOf = (person: Person, place: number) => ({
  ...{ patientId: `p${place}`, goldenId: 'g', isProvisional: false, wasGolden: false, fingerprint: '1' },
  ...{ person, keys: blockingKeys(person) },
})
