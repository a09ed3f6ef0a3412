import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bug } from '../../../packages/faults/fault.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { auditedPatients } from '../audit/store/audited-patients.ts'
import { fullAccess } from '../scopes/access.ts'
import { fhirDatabase } from '../testing/fhir-database.ts'
import { countingRows } from '../testing/rows-examined.ts'
import { resourceKey } from './keys.ts'
import { readCurrent, readResource, readVersion } from './read.ts'

const versions = 5_000
const hot = resourceKey('Basic', 'hot')
const amina = resourceKey('Patient', 'amina')

// As after a restore, and in a table that grew faster than statistics were made: nothing says how many versions there are.
describe(`a resource of ${versions} versions in a table without statistics`, () => {
  let opened: Awaited<ReturnType<typeof fhirDatabase>>
  beforeAll(async () => {
    opened = await fhirDatabase()
    const { database } = opened
    await database.run(sql`alter table fhir.versions set (autovacuum_enabled = false)`)
    await database.run(sql`
      insert into fhir.versions (key, version, type, id, last_updated, method, patients, content)
      select ${hot}::bigint, n, 'Basic', 'hot', timestamptz '2026-01-02' + n * interval '1 second', 'PUT',
        array[${amina}::bigint], '{"n":' || n || '}'
      from generate_series(1, ${versions}) as n`)
    await database.run(sql`
      insert into fhir.resources (key, type, id, version, last_updated, deleted, index_hashes) values
        (${hot}::bigint, 'Basic', 'hot', ${versions}, '2026-01-03', false, array[0::bigint]),
        (${amina}::bigint, 'Patient', 'amina', 1, '2026-01-01', false, array[0::bigint])`)
  })
  afterAll(() => opened[Symbol.asyncDispose]())

  const engine = {
    condition: (): never => {
      throw bug('nothing asks for a condition here')
    },
  }
  const asked = { type: 'Basic', id: 'hot', access: fullAccess }

  it('is read, by a look at the newest of them', async () => {
    const { on, examined } = countingRows(opened.database)
    expect(await readResource(asked, on, engine)).toMatchObject({ version: versions, content: `{"n":${versions}}` })
    expect(examined()).toBeLessThan(10)
  })

  it('is read with others, and in an older version', async () => {
    const { on, examined } = countingRows(opened.database)
    expect((await readCurrent([hot], on)).get(hot)).toMatchObject({ version: versions })
    expect(await readVersion({ ...asked, version: 7 }, on, engine)).toMatchObject({ content: '{"n":7}' })
    expect(examined()).toBeLessThan(20)
  })

  it('is told by whose it was, for the audit trail', async () => {
    const { on, examined } = countingRows(opened.database)
    const access = { interaction: 'update', touched: [{ type: 'Basic', id: 'hot', version: versions }] } as const
    // Sound: nothing else of an access is looked at.
    const patientsOf = await auditedPatients([access as never], on)
    expect(patientsOf(access.touched[0], access as never)).toEqual(['amina'])
    expect(examined()).toBeLessThan(50)
  })
})
