import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { bug } from '../../../packages/faults/fault.ts'
import { loadDefinitions } from '../../../packages/fhir/definitions.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { fullAccess } from '../scopes/access.ts'
import { fhirDatabase } from '../testing/fhir-database.ts'
import { slowPatient } from '../testing/slow-patient.ts'
import type { Change } from './change.ts'
import { createIndexOf, rowCountOf, type IndexOf } from './index-rows.ts'
import { isLarge } from './large.ts'
import { SharedSets } from './shared-sets.ts'
import { Store } from './store.ts'

describe('changes that come together', () => {
  let opened: Awaited<ReturnType<typeof fhirDatabase>>
  let store: Store
  let indexOf: IndexOf
  beforeAll(async () => {
    opened = await fhirDatabase()
    indexOf = createIndexOf(await loadDefinitions(), { ownBases: [] })
    const engine = {
      search: () => Promise.reject(bug('nothing is searched for here')),
      matches: () => Promise.reject(bug('nothing is searched for here')),
      condition: () => {
        throw bug('nobody here is confined')
      },
    }
    const { database } = opened
    store = new Store({ database, engine, clock: systemClock, sets: new SharedSets({ clock: systemClock }) })
  })
  afterAll(async () => {
    await store.close()
    await opened[Symbol.asyncDispose]()
  })

  /** A Patient of so many index rows: one says that nobody knows of a death. */
  function put(id: string, rows = 1): Change {
    const identifier = Array.from({ length: rows - 1 }, (_each, at) => ({ value: `${at}` }))
    const resource = { resourceType: 'Patient', identifier }
    const index = indexOf('Patient', resource)
    expect(rowCountOf(index)).toBe(rows)
    return {
      ...{ method: 'PUT', type: 'Patient', target: { kind: 'id', id, mayCreate: true } },
      ...{ body: { resource, index }, access: fullAccess },
    }
  }

  it('are large by their index rows together', () => {
    expect(isLarge([put('a', 5_000)])).toBe(false)
    expect(isLarge([put('a', 5_001)])).toBe(true)
    expect(isLarge([put('a', 3_000), put('b', 2_000)])).toBe(false)
    expect(isLarge([put('a', 3_000), put('b', 2_001)])).toBe(true)
  })

  it('share a commit, and a large one has its own', async () => {
    await Promise.all([put('first'), put('large', 5_001), put('second')].map((change) => store.write(change)))
    const rows = await opened.database.many<{ id: string; commit: string }>(sql`
      select id, xmin::text as commit from fhir.versions where id in ('first', 'large', 'second') order by id`)
    const [first, large, second] = rows.map(({ commit }) => commit)
    expect(first).toBe(second)
    expect(large).not.toBe(first)
  })

  it('do not fail with one that the database takes too long over', async () => {
    await using _slow = await slowPatient(opened.database)
    const outcomes = await Promise.allSettled(['before', 'slow', 'behind'].map((id) => store.write(put(id))))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(outcomes[1]).toMatchObject({ reason: { code: 'DATABASE_TIMEOUT' } })
  })
})
