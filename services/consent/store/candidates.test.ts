import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../packages/sql/database.ts'
import { consentDatabase, type ConsentDatabase } from '../testing/consent-database.ts'
import { recordWith } from '../testing/record-fixture.ts'
import { CandidateReader } from './candidates.ts'
import { insertRecord } from './records.ts'

let world: ConsentDatabase
beforeAll(async () => {
  world = await consentDatabase()
  const policy = { patientId: null, scopeContext: 'system', isDomainPolicy: true } as const
  const records = [
    recordWith({ id: 1 }),
    recordWith({ id: 2, actorReference: 'Device/a' }),
    recordWith({ id: 3, actorReference: 'Device/b', provisionType: 'deny' }),
    recordWith({ id: 4, patientId: 'Patient/p2' }),
    recordWith({ id: 5, ...policy }),
    recordWith({ id: 6, ...policy, actorReference: 'Device/a' }),
    recordWith({ id: 7, ...policy, isDomainPolicy: false }),
    recordWith({ id: 8, status: 'inactive', revokedAt: new Date('2026-02-01T00:00:00Z') }),
  ]
  for (const record of records) await insertRecord(record, world.database)
})
afterAll(() => world[Symbol.asyncDispose]())

const idsOf = (records: readonly { id: number }[]) => records.map(({ id }) => id).sort((some, other) => some - other)

describe('the candidates', () => {
  it.each([
    ['Patient/p1', ['Device/a'], [1, 2, 5, 6, 8]],
    ['Patient/p1', ['Device/b'], [1, 3, 5, 8]],
    ['Patient/p1', ['Device/a', 'Device/b'], [1, 2, 3, 5, 6, 8]],
    ['Patient/p2', ['Device/c'], [4, 5]],
    ['Patient/p3', ['Device/a'], [5, 6]],
  ])('of %s and %j are the records %j', async (patientId, actorReferences, ids) => {
    const reader = new CandidateReader(world.database)
    expect(idsOf(await reader.read({ patientId, actorReferences }))).toEqual(ids)
  })

  it('are read in one query for all who ask at the same moment, each getting their own', async () => {
    let queries = 0
    const counting: Pick<Database, 'transaction'> = {
      transaction: (work, options) => {
        queries++
        return world.database.transaction(work, options)
      },
    }
    const reader = new CandidateReader(counting)
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        reader.read({ patientId: `Patient/p${1 + (n % 3)}`, actorReferences: [n % 2 === 0 ? 'Device/a' : 'Device/b'] }),
      ),
    )
    expect(queries).toBe(1)
    expect(idsOf(answers[0] ?? [])).toEqual([1, 2, 5, 6, 8])
    expect(idsOf(answers[1] ?? [])).toEqual([4, 5])
    expect(idsOf(answers[3] ?? [])).toEqual([1, 3, 5, 8])
  })

  it('come back as they were stored', async () => {
    const record = recordWith({
      id: 20,
      patientId: 'Patient/whole',
      resourceClasses: ['Patient'],
      scopeValues: ['patient/Patient.rs'],
      periodStart: '2026-01-01',
      periodEnd: '2026-12-31',
      purposes: ['TREAT'],
      regulatoryBasis: 'Act 5',
      note: 'a "note"',
      organisationId: 'Organization/x',
    })
    await insertRecord(record, world.database)
    const [found] = await new CandidateReader(world.database).read({ patientId: 'Patient/whole', actorReferences: [] })
    expect(record).toMatchObject(found ?? {})
    expect(Object.keys(found ?? {})).toHaveLength(14)
  })
})
