import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callerWith } from '../../../../packages/http/testing/test-server.ts'
import { sql } from '../../../../packages/sql/sql.ts'
import type { FhirStore } from '../../../../ports/fhir-store/fhir-store.ts'
import { inProcessFhirStore } from '../../../../ports/fhir-store/in-process-fhir-store.ts'
import { fhirUseCases } from '../../in-process.ts'
import { fhirWorld, type FhirWorld } from '../../testing/fhir-world.ts'

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
