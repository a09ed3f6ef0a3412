import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callerWith } from '../../../../packages/http/testing/test-server.ts'
import { sql } from '../../../../packages/sql/sql.ts'
import { waitFor } from '../../../../packages/testkit/wait-for.ts'
import type { FhirStore } from '../../../../ports/fhir-store/fhir-store.ts'
import { inProcessFhirStore } from '../../../../ports/fhir-store/in-process-fhir-store.ts'
import { fhirUseCases } from '../../in-process.ts'
import { fhirWorld, type FhirWorld } from '../../testing/fhir-world.ts'
import { slowPatient } from '../../testing/slow-patient.ts'

let world: FhirWorld
let store: FhirStore
beforeAll(async () => {
  world = await fhirWorld()
  store = inProcessFhirStore(fhirUseCases(callerWith(['SYSTEM'], 'system/*.cruds'), world.deps))
})
afterAll(() => world[Symbol.asyncDispose]())

interface Put {
  readonly type?: 'Patient' | 'Group'
  readonly value: string
  readonly also?: string
  readonly ifMatch?: string
  readonly gender?: string
}

/** PUT of one resource by its identifier. */
function put({ type = 'Patient', value, also, ifMatch, gender }: Put) {
  const identifier = [value, ...(also === undefined ? [] : [also])].map((each) => ({ system: 'urn:s', value: each }))
  const rest = type === 'Group' ? { type: 'person', actual: true } : {}
  return {
    resource: { resourceType: type, identifier, ...rest, ...(gender === undefined ? {} : { gender }) } as never,
    request: {
      ...{ method: 'PUT' as const, url: `${type}?identifier=urn:s|${value}` },
      ...(ifMatch === undefined ? {} : { ifMatch }),
    },
  }
}

const transaction = (...puts: readonly Put[]) =>
  store.transaction({ resourceType: 'Bundle', type: 'transaction', entry: puts.map(put) })

const statusesOf = async (work: ReturnType<typeof transaction>) =>
  (await work).entry?.map(({ response }) => response?.status.slice(0, 3))

const found = async (...values: readonly string[]) => {
  const lists = await store.findByIdentifiers(values.map((value) => ({ type: 'Patient', system: 'urn:s', value })))
  return lists.map(({ length }) => length)
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('transactions that come together', () => {
  it('share database transactions, and each says what became of its own entries', async () => {
    const all = range(40).map((index) =>
      transaction({ value: `many-${index}` }, { type: 'Group', value: `g-${index}` }),
    )
    for (const work of all) expect(await statusesOf(work)).toEqual(['201', '201'])
    const { used } = await world.database.one<{ used: number }>(sql`
      select count(distinct xmin::text)::integer as used from fhir.versions where type = 'Group'`)
    expect(used).toBeLessThan(40)
  })

  it('make one of what all of them would create', async () => {
    await Promise.all(range(30).map((index) => transaction({ value: 'one' }, { value: `beside-${index}` })))
    expect(await found('one')).toEqual([1])
    const [[one] = []] = await store.findByIdentifiers([{ type: 'Patient', value: 'one' }])
    expect(one?.meta?.versionId).toBe('30')
  })

  it('are refused by themselves and wholly', async () => {
    const works = range(12).map((index) =>
      transaction({ value: `kept-${index}` }, { value: `or-not-${index}`, gender: index % 3 === 0 ? 'M' : 'male' }),
    )
    const outcomes = await Promise.allSettled(works)
    expect(outcomes.map(({ status }) => status)).toEqual(
      range(12).map((index) => (index % 3 === 0 ? 'rejected' : 'fulfilled')),
    )
    const expected = range(12).map((index) => (index % 3 === 0 ? 0 : 1))
    expect(await found(...range(12).map((index) => `kept-${index}`))).toEqual(expected)
    expect(await found(...range(12).map((index) => `or-not-${index}`))).toEqual(expected)
  })

  it('are refused by themselves also for what only the locked resource tells', async () => {
    await transaction({ value: 'stale' })
    const stale = { value: 'stale', ifMatch: 'W/"7"' }
    const works = [
      transaction({ value: 'first' }),
      transaction({ value: 'not-written' }, stale),
      transaction({ value: 'second' }),
    ]
    const [first, refused, second] = await Promise.allSettled(works)
    expect([first?.status, second?.status]).toEqual(['fulfilled', 'fulfilled'])
    expect(refused).toMatchObject({
      reason: { code: 'PRECONDITION_FAILED', fields: [{ path: expect.stringContaining('Bundle.entry[1]') }] },
    })
    expect(await found('first', 'not-written', 'second')).toEqual([1, 0, 1])
  })

  it('do not wait for one whose conditional references have to be searched for', async () => {
    await world.call('PUT', '/Patient/searched', {
      body: { resourceType: 'Patient', id: 'searched', name: [{ family: 'Searched' }] },
    })
    const searching = (entries: number) =>
      store.transaction({
        ...{ resourceType: 'Bundle', type: 'transaction' },
        entry: range(entries).map(() => ({
          resource: { resourceType: 'Basic', code: { text: 'x' }, subject: { reference: 'Patient?name=searched' } },
          request: { method: 'POST', url: 'Basic' },
        })),
      } as never)
    await using names = await lockedNames()
    // More entries than may share, which are usually found by keys and have their plans kept, as those that share.
    const works = [searching(1), searching(101)]
    const kept = await waitFor(
      async () => {
        const waiting = await names.waiting()
        return waiting.length === 2 && waiting
      },
      { what: 'both searches to meet the lock' },
    )
    expect(kept.filter((name) => name.endsWith(' kept'))).toEqual([])
    await transaction({ type: 'Group', value: 'beside-a-search' })
    await names.release()
    for (const work of works) {
      const { entry = [] } = await work
      expect(entry[0]?.response?.status).toMatch(/^201/)
    }
    const { body } = await world.call('GET', '/Basic?subject=Patient/searched&_summary=count')
    expect(body.total).toBe(102)
  })

  it('do not fail with one that the database takes too long over', async () => {
    await using _slow = await slowPatient(world.database)
    const slow = store.transaction({
      ...{ resourceType: 'Bundle', type: 'transaction' },
      entry: [
        {
          resource: { resourceType: 'Patient', id: 'slow' },
          request: { method: 'PUT', url: 'Patient/slow' },
        },
      ],
    })
    const works = range(12).map((index) =>
      index === 6 ? slow : transaction({ type: 'Group', value: `beside-slow-${index}` }),
    )
    const outcomes = await Promise.allSettled(works)
    expect(outcomes.map(({ status }) => status)).toEqual(
      range(12).map((index) => (index === 6 ? 'rejected' : 'fulfilled')),
    )
    expect(outcomes[6]).toMatchObject({ reason: { kind: 'unavailable' } })
  })

  it('do not wait for one that is large', async () => {
    const members = range(6_000).map((index) => ({ entity: { reference: `Patient/member-${index}` } }))
    const large = put({ type: 'Group', value: 'large' })
    const works = range(12).map((index) =>
      index === 6
        ? store.transaction({
            ...{ resourceType: 'Bundle', type: 'transaction' },
            entry: [{ ...large, resource: { ...(large.resource as object), member: members } as never }],
          })
        : transaction({ type: 'Group', value: `beside-large-${index}` }),
    )
    for (const work of works) expect(await statusesOf(work)).toEqual(['201'])
    const { others } = await world.database.one<{ others: number }>(sql`
      select count(*)::integer as others from fhir.versions as large
      join fhir.versions as other on other.xmin = large.xmin and other.key <> large.key
      where large.type = 'Group' and length(large.content) > 100000`)
    expect(others).toBe(0)
  })

  it('follow each other where different criteria mean the same resource', async () => {
    await transaction({ value: 'name', also: 'other-name' })
    const works = range(6).map((index) =>
      transaction(index % 2 === 0 ? { value: 'name', also: 'other-name' } : { value: 'other-name', also: 'name' }),
    )
    for (const work of works) expect(await statusesOf(work)).toEqual(['200'])
    const [[one] = []] = await store.findByIdentifiers([{ type: 'Patient', value: 'name' }])
    expect(one?.meta?.versionId).toBe('7')
  })
})

/** The index of names, which nobody can read until it is released. */
async function lockedNames() {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = world.database.transaction(async (tx) => {
    await tx.run(sql`lock table fhir.strings in access exclusive mode`)
    held.resolve()
    await released.promise
  })
  await held.promise
  const release = async () => {
    released.resolve()
    await holding
  }
  return {
    release,
    /** Whose searches wait for it, by the name of their pool. The audit event of an earlier call only writes to it. */
    async waiting(): Promise<string[]> {
      const rows = await world.database.many<{ name: string }>(sql`
        select a.application_name as name from pg_locks as l join pg_stat_activity as a on a.pid = l.pid
        where not l.granted and l.relation = 'fhir.strings'::regclass and l.mode = 'AccessShareLock'`)
      return rows.map(({ name }) => name)
    },
    [Symbol.asyncDispose]: release,
  }
}
