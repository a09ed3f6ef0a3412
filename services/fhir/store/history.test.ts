import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bug } from '../../../packages/faults/fault.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { fullAccess, type AccessConditions, type TypeAccess } from '../scopes/access.ts'
import { fhirDatabase } from '../testing/fhir-database.ts'
import { countingRows } from '../testing/rows-examined.ts'
import { readHistory, type HistoryEntry, type HistoryQuestion } from './history.ts'
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

describe('the history of one resource', () => {
  const long = resourceKey('Observation', 'long')
  const versions = 20_000
  let opened: Awaited<ReturnType<typeof fhirDatabase>>
  beforeAll(async () => {
    opened = await fhirDatabase()
    const { database } = opened
    // Three in a second each, and of each third version another patient.
    await database.run(sql`
      insert into fhir.versions (key, version, type, id, last_updated, method, patients, content)
      select ${long}::bigint, n, 'Observation', 'long', timestamptz '2026-01-01' + (n / 3) * interval '1 second', 'PUT',
        array[case when n % 3 = 0 then 7 else ${amina}::bigint end], '{}' from generate_series(1, ${versions}) as n`)
    await database.run(sql`
      insert into fhir.versions (key, version, type, id, last_updated, method, patients, content)
      select n, 1, 'Observation', n::text, timestamptz '2026-01-01' + n * interval '1 second', 'PUT',
        array[${amina}::bigint], '{}' from generate_series(1, 1000) as n`)
    await database.run(sql`
      insert into fhir.resources (key, type, id, version, last_updated, deleted, index_hashes)
      select distinct on (key) key, type, id, version, last_updated, content is null, array[0::bigint]
      from fhir.versions order by key, version desc`)
    await database.run(sql`
      insert into fhir.compartments (key, patient)
      select distinct key, ${amina}::bigint from fhir.versions where ${amina}::bigint = any (patients)`)
    await database.run(sql`analyze fhir.versions, fhir.resources, fhir.compartments`)
  })
  afterAll(() => opened[Symbol.asyncDispose]())

  const ofQuery: AccessConditions = { of: () => [{ query: 'x' }, { patient: 'amina' }] }
  const callers = [
    ['everything', fullAccess, () => true],
    ['what is a patient’s', access, (version: number) => version % 3 !== 0],
    ['what a query finds as well', ofQuery, (version: number) => version === versions || version % 3 !== 0],
  ] as const
  const knowing = { condition: () => sql`true` }
  const page = (question: Partial<HistoryQuestion>, caller: AccessConditions, on = opened.database) =>
    readHistory({ types: ['Observation'], id: 'long', count: 50, access: caller, ...question }, on, knowing)

  it.each(callers)('has all its pages together, for who sees %s', async (_what, caller, isSeen) => {
    const seen: number[] = []
    let after: HistoryEntry | undefined
    do {
      const { entries } = await page({ count: 1_000, ...(after === undefined ? {} : { after }) }, caller)
      seen.push(...entries.map(({ version }) => version))
      after = entries.length === 1_000 ? entries.at(-1) : undefined
    } while (after !== undefined)
    const all = Array.from({ length: versions }, (_each, at) => versions - at)
    expect(seen).toEqual(all.filter(isSeen))
  })

  it.each(callers)('costs what a page of it has, for who sees %s', async (_what, caller, isSeen) => {
    const examinedFor = async (question: Partial<HistoryQuestion>) => {
      const { on, examined } = countingRows(opened.database)
      const { entries } = await page(question, caller, on)
      return { examined: examined(), last: entries.at(-1), versions: entries.map(({ version }) => version) }
    }
    const first = await examinedFor({})
    const second = await examinedFor({ ...(first.last && { after: first.last }) })
    const third = await examinedFor({ ...(second.last && { after: second.last }) })
    const newest = Array.from({ length: 300 }, (_each, at) => versions - at).filter(isSeen)
    expect([first, second, third].flatMap((each) => each.versions)).toEqual(newest.slice(0, 150))
    const since = await examinedFor({ since: new Date(Date.parse('2026-01-01') + 6_660_000) })
    expect(since.versions).toEqual(newest.filter((version) => version >= 19_980))
    const early = await examinedFor({ since: new Date('2026-01-01') })
    expect(early.versions).toEqual(newest.slice(0, 50))
    for (const { examined } of [first, third, since, early]) expect(examined).toBeLessThan(600)
  })

  it('brings a page of it where a patient asks for all of a type', async () => {
    const { on, examined } = countingRows(opened.database)
    const { entries } = await readHistory({ types: ['Observation'], count: 50, access }, on, knowing)
    expect(entries).toHaveLength(50)
    const all = await opened.database.many<{ id: string; version: number }>(sql`
      select id, version from fhir.versions where ${amina}::bigint = any (patients)
      order by last_updated desc, key desc, version desc`)
    const seen: string[] = []
    let after: HistoryEntry | undefined
    do {
      const next = { types: ['Observation'], count: 1_000, access, ...(after === undefined ? {} : { after }) }
      const found = await readHistory(next, opened.database, knowing)
      seen.push(...found.entries.map(({ id, version }) => `${id} ${version}`))
      after = found.entries.length === 1_000 ? found.entries.at(-1) : undefined
    } while (after !== undefined)
    expect(seen).toEqual(all.map(({ id, version }) => `${id} ${version}`))
    // A thousand resources are theirs, each with one version but this one.
    expect(examined()).toBeLessThan(10_000)
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
