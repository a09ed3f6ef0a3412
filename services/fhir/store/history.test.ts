import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bug } from '../../../packages/faults/fault.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { fullAccess, type AccessConditions, type TypeAccess } from '../scopes/access.ts'
import { fhirDatabase } from '../testing/fhir-database.ts'
import { countingRows } from '../testing/rows-examined.ts'
import { readHistory } from './history.ts'
import { resourceKey } from './keys.ts'

const types = ['Condition', 'Observation', 'Patient']
const amina = resourceKey('Patient', 'amina')
const others = 5_000

describe('the history of one patient among many', () => {
  let opened: Awaited<ReturnType<typeof fhirDatabase>>
  beforeAll(async () => {
    opened = await fhirDatabase()
    const { database } = opened
    await database.run(sql`
      insert into fhir.versions (key, version, type, id, last_updated, method, patients, content)
      select n, 1, 'Observation', n::text, timestamptz '2026-01-02' + n * interval '1 second', 'PUT', array[n + 1], '{}'
      from generate_series(1, ${others}) as n`)
    await database.run(sql`
      insert into fhir.versions (key, version, type, id, last_updated, method, patients, content) values
        (${amina}::bigint, 1, 'Patient', 'amina', '2026-01-01T08:00:00Z', 'PUT', array[${amina}::bigint], '{}'),
        (${resourceKey('Observation', 'old')}::bigint, 1, 'Observation', 'old', '2026-01-01T09:00:00Z', 'PUT',
          array[${amina}::bigint], '{}'),
        (${resourceKey('Observation', 'old')}::bigint, 2, 'Observation', 'old', '2026-01-01T10:00:00Z', 'DELETE',
          array[${amina}::bigint], null)`)
    await database.run(sql`
      insert into fhir.resources (key, type, id, version, last_updated, deleted, index_hashes)
      select distinct on (key) key, type, id, version, last_updated, content is null, array[0::bigint]
      from fhir.versions order by key, version desc`)
    await database.run(sql`
      insert into fhir.compartments (key, patient) select key, unnest(patients) from fhir.versions group by 1, 2`)
    await database.run(sql`analyze fhir.versions, fhir.resources, fhir.compartments`)
  })
  afterAll(() => opened[Symbol.asyncDispose]())

  it.each([
    ['a type', ['Observation'], ['Observation/old 2', 'Observation/old 1']],
    ['the one that they are', ['Patient'], ['Patient/amina 1']],
    ['all types', types, ['Observation/old 2', 'Observation/old 1', 'Patient/amina 1']],
  ])('of %s has what is theirs, and looks at nothing else', async (_what, asked, expected) => {
    const { on, examined } = countingRows(opened.database)
    const { entries } = await readHistory({ types: asked, count: 50, access }, on, engine)
    expect(entries.map(({ type, id, version }) => `${type}/${id} ${version}`)).toEqual(expected)
    expect(examined()).toBeLessThan(100)
  })

  it('ends where its contents would be too many bytes, and not before the first', async () => {
    const question = { types: ['Observation'], count: 50, access: fullAccess }
    const { entries, isCut } = await readHistory({ ...question, bytesMax: 5 }, opened.database, engine)
    expect([entries.map(({ id }) => id), isCut]).toEqual([[others, others - 1, others - 2].map(String), true])
    const narrow = await readHistory({ ...question, bytesMax: 1 }, opened.database, engine)
    expect([narrow.entries.map(({ id }) => id), narrow.isCut]).toEqual([[String(others)], true])
  })
})

const ofAmina: Readonly<Record<string, TypeAccess>> = {
  Patient: [{ id: 'amina' }],
  Observation: [{ patient: 'amina' }],
  Condition: [{ patient: 'amina' }],
}
const access: AccessConditions = { of: (type) => ofAmina[type] ?? 'none' }
const engine = {
  condition: () => {
    throw bug('no scope here has a query')
  },
}
