import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { replacement } from '../interactions/changes.ts'
import { fullAccess } from '../scopes/access.ts'
import { fhirWorld, program, type Called, type FhirWorld, type TestCaller } from '../testing/fhir-world.ts'
import { casesOf, casesTimeoutMs } from '../../../packages/testkit/extent.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'

const operations = casesOf({ daily: 2_000, long: 30_000, night: 1_000_000 })
const workers = 20
const registers = 5

describe('many at once', { timeout: casesTimeoutMs }, () => {
  let world: FhirWorld
  beforeAll(async () => {
    world = await fhirWorld()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const identified = (value: string, rest: object = {}) => ({
    resourceType: 'Patient',
    identifier: [{ system: 'urn:mrn', value }],
    ...rest,
  })
  const atOnce = <T>(count: number, work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_one, index) => work(index)))

  it('50 conditional updates of one identifier give one resource with 50 versions', async () => {
    const answers = await atOnce(50, (index) =>
      world.call('PUT', '/Patient?identifier=urn:mrn|hot', {
        body: identified('hot', { name: [{ family: `n${index}` }] }),
      }),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49)
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    const versions = answers.map(({ body }) => Number(body.meta.versionId)).sort((some, other) => some - other)
    expect(versions).toEqual(Array.from({ length: 50 }, (_one, index) => index + 1))
    expect((await world.call('GET', '/Patient?identifier=urn:mrn|hot')).body.total).toBe(1)
    expect(await world.database.many(sql`select claim from fhir.claims`)).toEqual([])
  })

  it('conditional creates, updates and transactions of one identifier give one resource', async () => {
    const transaction = {
      resourceType: 'Bundle',
      type: 'transaction',
      entry: [
        { resource: identified('mixed'), request: { method: 'PUT', url: 'Patient?identifier=urn:mrn|mixed' } },
        { resource: { resourceType: 'Basic', code: { text: 'x' } }, request: { method: 'POST', url: 'Basic' } },
      ],
    }
    const answers = await atOnce(30, (index) => {
      if (index % 3 === 0) return world.call('POST', '', { body: transaction })
      if (index % 3 === 1) return world.call('PUT', '/Patient?identifier=urn:mrn|mixed', { body: identified('mixed') })
      const headers = { 'if-none-exist': 'identifier=urn:mrn|mixed' }
      return world.call('POST', '/Patient', { body: identified('mixed'), headers })
    })
    expect(answers.map(({ status }) => status).filter((status) => status > 201)).toEqual([])
    expect((await world.call('GET', '/Patient?identifier=urn:mrn|mixed')).body.total).toBe(1)
  })

  const amina: TestCaller = { roles: ['PATIENT'], fhirUser: 'Patient/amina', scope: 'user/*.cruds' }

  it.each(
    (['POST', 'PUT', 'DELETE'] as const).flatMap((method): [string, string, TestCaller][] => [
      [method, 'a program', program],
      [method, 'a patient', amina],
    ]),
  )('%s by criteria of %s is not answered with what they found before it waited', async (method, who, as) => {
    const value = `${method} of ${who}`
    const resource = (patient: string, number: string) => ({
      ...{ resourceType: 'Observation', status: 'final', code: { text: 'x' } },
      identifier: [{ system: 'urn:lab', value: number }],
      subject: { reference: `Patient/${patient}` },
    })
    const { body: before } = await world.call('POST', '/Observation', { body: resource('amina', value) })
    const moved = { ...resource('kofi', `${value}, moved`), id: before.id }
    let answer: Promise<Called> | undefined
    await world.database.transaction(async (tx) => {
      const change = replacement(
        { type: 'Observation', id: before.id, resource: moved, access: fullAccess },
        world.deps,
      )
      await world.deps.store.writeTogether([change], tx)
      const criteria = `identifier=urn:lab|${value}`
      const path = method === 'POST' ? '/Observation' : `/Observation?${criteria}`
      const headers = method === 'POST' ? { 'if-none-exist': criteria } : {}
      answer = world.call(method, path, { as, body: resource('amina', value), headers })
      await waitFor(isAnybodyWaiting, { what: 'the request to wait for the change' })
    })
    const { status, body } = (await answer) as Called
    expect([status, body?.subject.reference]).toEqual(method === 'DELETE' ? [204, undefined] : [201, 'Patient/amina'])
    const { body: found } = await world.call('GET', `/Observation?identifier=urn:lab|${value}`)
    expect(found.entry?.map(({ resource: { id } }) => id)).toEqual(body && [body.id])
    expect((await world.call('GET', `/Observation/${before.id}`)).body.meta.versionId).toBe('2')
  })

  /** Not asked in the transaction that is waited for: there the list of sessions stays the one that was seen first. */
  const isAnybodyWaiting = async () => {
    const waiting = sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await world.database.many(waiting)).length > 0
  }

  it('of many updates that name the same version one wins', async () => {
    await world.call('PUT', '/Patient/race', { body: identified('race', { id: 'race' }) })
    const answers = await atOnce(20, (index) =>
      world.call('PUT', '/Patient/race', {
        body: identified('race', { id: 'race', name: [{ family: `n${index}` }] }),
        headers: { 'if-match': 'W/"1"' },
      }),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(19)
  })

  it('patches of one resource are all kept', async () => {
    await world.call('PUT', '/Patient/patched', {
      body: identified('patched', { id: 'patched', name: [{ text: '0' }] }),
    })
    await atOnce(20, (index) =>
      world.call('PATCH', '/Patient/patched', {
        body: [{ op: 'add', path: '/name/-', value: { text: String(index + 1) } }],
        headers: { 'content-type': 'application/json-patch+json' },
      }),
    )
    const { body } = await world.call('GET', '/Patient/patched')
    expect(body.name).toHaveLength(21)
  })

  it(`resources are linearizable registers for writers and readers, over ${operations} operations`, async () => {
    const ids = Array.from({ length: registers }, (_one, index) => `register-${index}`)
    for (const id of ids) await world.call('PUT', `/Basic/${id}`, { body: register(id, 0) })
    const events = new Map(ids.map((id): [string, Event[]] => [id, []]))
    let [tick, written] = [0, 0]
    const operation = async (worker: number, turn: number) => {
      const id = ids[(worker * 7 + turn) % registers] ?? ''
      const begun = tick++
      const answer =
        (worker + turn) % 2 === 0
          ? await world.call('PUT', `/Basic/${id}`, { body: register(id, ++written) })
          : await world.call('GET', `/Basic/${id}`)
      const { meta, code } = answer.body
      events.get(id)?.push({ begun, ended: tick++, version: Number(meta.versionId), value: code.text })
    }
    await atOnce(workers, (worker) => inTurn(operations / workers, (turn) => operation(worker, turn)))
    expect([...events.values()].flat()).toHaveLength(operations)
    expect([...events].flatMap(([id, own]) => brokenOrders(own).map((what) => `${id}: ${what}`))).toEqual([])
    const versions = [...events.values()].reduce(
      (total, own) => total + new Set(own.map(({ version }) => version)).size,
      0,
    )
    // Every write has a version of its own; the first ones of the registers may have been read too.
    expect(versions - written).toBeGreaterThanOrEqual(0)
    expect(versions - written).toBeLessThanOrEqual(registers)
  })

  it('that a register goes back would be seen', () => {
    const event = (begun: number, ended: number, version: number, value = `v${version}`) => ({
      begun,
      ended,
      version,
      value,
    })
    expect(brokenOrders([event(0, 3, 2), event(1, 2, 1), event(4, 5, 2)])).toEqual([])
    expect(brokenOrders([event(0, 1, 2), event(2, 3, 1)])).toEqual(['version 1 was seen after 2'])
    expect(brokenOrders([event(0, 2, 1, 'a'), event(1, 3, 1, 'b')])).toEqual(['version 1 has the values a and b'])
  })
})

interface Event {
  readonly begun: number
  readonly ended: number
  readonly version: number
  readonly value: string
}

/**
 * The version is the register's place in its order: a version has one value, and nobody who begins after another has
 * ended sees an older one.
 */
function brokenOrders(events: readonly Event[]): string[] {
  const values = new Map<number, string>()
  const broken: string[] = []
  const moments = events.flatMap((event) => [
    { at: event.begun, event, isEnd: false },
    { at: event.ended, event, isEnd: true },
  ])
  const newestAtBegin = new Map<Event, number>()
  let newest = 0
  for (const { event, isEnd } of moments.sort((some, other) => some.at - other.at)) {
    const { version, value } = event
    if (!isEnd) {
      newestAtBegin.set(event, newest)
      continue
    }
    const before = newestAtBegin.get(event) ?? 0
    if (before > version) broken.push(`version ${version} was seen after ${before}`)
    const first = values.get(version) ?? value
    if (first !== value) broken.push(`version ${version} has the values ${first} and ${value}`)
    values.set(version, first)
    newest = Math.max(newest, version)
  }
  return broken
}

const register = (id: string, value: number) => ({ resourceType: 'Basic', id, code: { text: `v${value}` } })

async function inTurn(times: number, work: (turn: number) => Promise<void>): Promise<void> {
  for (let turn = 0; turn < times; turn++) await work(turn)
}
