import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { fhirWorld, type FhirWorld } from '../testing/fhir-world.ts'

describe('many at once', () => {
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

  it('one resource is a linearizable register for writers and readers', async () => {
    await world.call('PUT', '/Basic/register', { body: register(0) })
    const events: Event[] = []
    let tick = 0
    const timed = async (work: () => Promise<{ version: number; value: string }>) => {
      const begun = tick++
      const result = await work()
      events.push({ begun, ended: tick++, ...result })
    }
    let written = 0
    await atOnce(12, (worker) =>
      inTurn(12, () =>
        timed(async () => {
          const isWriter = worker % 2 === 0
          const answer = isWriter
            ? await world.call('PUT', '/Basic/register', { body: register(++written) })
            : await world.call('GET', '/Basic/register')
          return { version: Number(answer.body.meta.versionId), value: answer.body.code.text }
        }),
      ),
    )
    // The version is the register's place in its order: a version has one value, and nobody who begins after another
    // has ended sees an older one.
    const values = new Map<number, string>()
    for (const { version, value } of events) {
      expect(values.get(version) ?? value).toBe(value)
      values.set(version, value)
    }
    const wentBack = events.filter(({ begun, version }) =>
      events.some((earlier) => earlier.ended < begun && earlier.version > version),
    )
    expect(wentBack).toEqual([])
    expect(new Set(values.values()).size).toBe(values.size)
  })
})

interface Event {
  readonly begun: number
  readonly ended: number
  readonly version: number
  readonly value: string
}

const register = (value: number) => ({ resourceType: 'Basic', id: 'register', code: { text: `v${value}` } })

async function inTurn(times: number, work: () => Promise<void>): Promise<void> {
  for (let turn = 0; turn < times; turn++) await work()
}
