import { expect, it } from 'vitest'
import type { Identifier } from '../../../packages/fhir/r4.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { kitMigrations, migrate } from '../../../packages/sql/migrate/migrate.ts'
import { json, sql } from '../../../packages/sql/sql.ts'
import { resourceKey } from '../store/keys.ts'
import { fhirMigrations } from '../testing/fhir-database.ts'
import { databaseUpTo } from '../testing/migrations-up-to.ts'
import { blockingKeys } from './blocking-keys.ts'
import { indexed, type StoredPatient } from './index-patients.ts'
import { personOf, type Person } from './person.ts'

it('people who were indexed before migration 0012 are after it what they would be if they were written now', async () => {
  await using before = await databaseUpTo(11)
  const { database, url } = before

  for (const patient of patients) await writeAsBefore(patient, database)
  const people = () =>
    database.many<{ id: string; fingerprint: string; person: string }>(sql`
    select patient_id as id, fingerprint, person from fhir.index_people order by patient_id`)
  const fingerprints = (await people()).map(({ fingerprint }) => fingerprint)
  await migrate(url, [kitMigrations, fhirMigrations])

  const rows = await people()
  for (const { id, person } of rows) {
    const patient = patients.find((one) => one.id === id) ?? { resourceType: 'Patient' }
    const expected = personOf(patient)
    expect({ sharedIds: [], personalIds: [], ...(JSON.parse(person) as Partial<Person>) }).toEqual(
      JSON.parse(JSON.stringify(expected)),
    )
    const keys = await database.many<{ key: string }>(sql`select key from fhir.index_keys where patient_id = ${id}`)
    expect(keys.map(({ key }) => key).sort()).toEqual(blockingKeys(expected).sort())
  }
  // What is written next writes the row anew.
  expect(rows.map(({ fingerprint }) => fingerprint)).toEqual(fingerprints)
})

const number = (value: string, code?: string, rest: Partial<Identifier> = {}): Identifier => ({
  ...(code === undefined ? {} : { type: { coding: [{ code: 'other' }, { code }] } }),
  ...{ system: 'urn:central', value, ...rest },
})

const patients: readonly StoredPatient[] = [
  [],
  [number('MR-1', 'MR'), number('12/3'), number('MR-1'), number('mr1')],
  [number('4711')],
  [number('AC-7', 'AN'), number('AC-7', 'SN'), number('M/1', 'MB')],
  [number('19 80-X', 'NI'), number('1980x'), number('19 80-X', 'MR', { system: 'urn:other' }), number('B 2')],
  [
    number('GONE', 'MR', { use: 'old' }),
    number('00-00'),
    number('A\t\n1 '),
    { value: 'N1' },
    { system: 'urn:central' },
  ],
  [number('Å-7"\\'), number('x'.repeat(300))],
].map((identifier, at) => ({
  ...{ resourceType: 'Patient', id: `p${at}`, name: [{ family: 'Diallo', given: ['Amina'] }] },
  ...{ birthDate: '1984-03-12', ...(identifier.length === 0 ? {} : { identifier }) },
}))

/** What the version before left of a Patient: every number that is not national as one of a record, folded. */
async function writeAsBefore(patient: StoredPatient, on: Database): Promise<void> {
  const { sharedIds, recordIds, personalIds: _later, ...rest } = personOf(patient)
  const folded = [...recordIds, ...sharedIds].map((id) => {
    const [system, value = ''] = id.split('|')
    return `${system}|${value
      .toLowerCase()
      .replace('å', 'a')
      .replace(/[^a-z0-9]+/g, '')}`
  })
  const row = { patientId: patient.id, goldenId: patient.id, isProvisional: false, wasGolden: false }
  const person = { ...rest, recordIds: [...new Set(folded)] }
  const { fingerprint, keys } = indexed({ ...person, sharedIds: [], personalIds: [] }, row)
  const key = resourceKey('Patient', patient.id)
  await on.run(sql`
    insert into fhir.resources (key, type, id, version, last_updated, deleted, index_hashes)
    values (${key}::bigint, 'Patient', ${patient.id}, 2, '2024-05-01', false, '{}')`)
  await on.run(sql`
    insert into fhir.versions (key, version, type, id, last_updated, method, patients, content) values
      (${key}::bigint, 1, 'Patient', ${patient.id}, '2024-05-01', 'POST', '{}', ${json({ identifier: [number('V1')] })}),
      (${key}::bigint, 2, 'Patient', ${patient.id}, '2024-05-01', 'PUT', '{}', ${json(patient)})`)
  await on.run(sql`
    insert into fhir.index_people (patient_id, golden_id, provisional, fingerprint, person, name_parts)
    values (${patient.id}, ${patient.id}, false, ${fingerprint}::bigint, ${json(person)}, '{}')`)
  await on.run(sql`
    insert into fhir.index_keys (key, patient_id) select key, ${patient.id} from unnest(${keys}::text[]) as own (key)`)
}
