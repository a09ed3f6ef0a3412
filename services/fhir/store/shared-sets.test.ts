import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { bug } from '../../../packages/faults/fault.ts'
import { loadDefinitions } from '../../../packages/fhir/definitions.ts'
import type { Transaction } from '../../../packages/sql/queryable.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { fullAccess } from '../scopes/access.ts'
import { fhirDatabase } from '../testing/fhir-database.ts'
import type { Change } from './change.ts'
import { createIndexOf, unsharedIndex, type IndexOf } from './index-rows.ts'
import { resourceKey } from './keys.ts'
import { sharedSetOf, SharedSets, type SharedSet } from './shared-sets.ts'
import { writeAll } from './write.ts'

describe('a set of index rows that resources share', () => {
  let opened: Awaited<ReturnType<typeof fhirDatabase>>
  let indexOf: IndexOf
  const clock = new SimulatedClock('2024-05-01T00:00:00Z')
  /** Of one copy of the service, and of another. */
  let here: SharedSets
  let elsewhere: SharedSets
  beforeAll(async () => {
    opened = await fhirDatabase()
    indexOf = createIndexOf(await loadDefinitions(), { ownBases: [] })
  })
  afterAll(() => opened[Symbol.asyncDispose]())
  beforeEach(() => {
    here = new SharedSets({ clock })
    elsewhere = new SharedSets({ clock })
  })

  let number = 0
  const eventOf = (agent: string) => ({
    resourceType: 'AuditEvent',
    meta: { tag: [{ system: 'urn:ids', code: String(number++) }] },
    type: { code: 'rest' },
    recorded: '2024-05-01T10:00:00Z',
    agent: [{ who: { identifier: { value: agent } }, requestor: true, network: { address: '10.0.0.1' } }],
    source: { observer: { display: 'here' } },
  })

  const creationOf = (id: string, agent: string): Change => {
    const resource = eventOf(agent)
    return {
      ...{ method: 'POST', type: 'AuditEvent', access: fullAccess },
      target: { kind: 'id', id, mayCreate: true, isNewId: true },
      body: { resource, index: indexOf('AuditEvent', resource) },
    }
  }

  const write = (sets: SharedSets, changes: readonly Change[], during = (tx: Transaction) => Promise.resolve(tx)) =>
    opened.database.transaction(async (tx) => {
      const outcomes = await writeAll(changes, tx, { engine, clock, sets })
      await during(tx)
      return outcomes.map(({ kind }) => kind)
    })

  const engine = {
    matches: () => Promise.reject(bug('nothing is searched for')),
    condition: () => {
      throw bug('nobody here is confined')
    },
  }

  const setOf = (agent: string): SharedSet => {
    const { shared } = indexOf('AuditEvent', eventOf(agent))
    if (shared === undefined) throw new Error('nothing is shared')
    return shared
  }

  const rowsUnder = async (key: string) => {
    const { tokens, strings } = await opened.database.one<{ tokens: number; strings: number }>(sql`
      select (select count(*)::integer from fhir.tokens where key = ${key}::bigint) as tokens,
        (select count(*)::integer from fhir.strings where key = ${key}::bigint) as strings`)
    return { tokens, strings }
  }

  const sharedKeyOf = async (id: string) =>
    (
      await opened.database.one<{ sharedKey: string | null }>(sql`
        select shared_key as "sharedKey" from fhir.resources where key = ${resourceKey('AuditEvent', id)}::bigint`)
    ).sharedKey

  /** The type, the agent and the digest; the address. */
  const whole = { tokens: 3, strings: 1 }

  it('is the same for resources that differ in what is their own', () => {
    expect(setOf('A').key).toBe(setOf('A').key)
    expect(setOf('A').key).not.toBe(setOf('B').key)
    expect(indexOf('Patient', { resourceType: 'Patient', gender: 'male' }).shared).toBeUndefined()
    expect(sharedSetOf({ tokens: [], strings: [], uris: [] })).toBeUndefined()
  })

  it('is written with the first resource that has it', async () => {
    await write(here, [creationOf('first-1', 'first'), creationOf('first-2', 'first'), creationOf('first-3', 'other')])
    const { key } = setOf('first')
    expect(await Promise.all(['first-1', 'first-2'].map(sharedKeyOf))).toEqual([key, key])
    expect(await rowsUnder(key)).toEqual(whole)
    expect(await rowsUnder(resourceKey('AuditEvent', 'first-1'))).toEqual({ tokens: 1, strings: 0 })
  })

  it('is not looked at again once it was committed', async () => {
    await write(here, [creationOf('again-1', 'again')])
    await setImmediate()
    let statements = 0
    await opened.database.transaction(async (tx) => {
      const counting = {
        ...tx,
        together: (each: readonly Statement[]) => {
          statements += each.length
          return tx.together(each)
        },
      }
      await writeAll([creationOf('again-2', 'again')], counting, { engine, clock, sets: here })
    })
    expect(statements).toBe(1)
    expect(await rowsUnder(setOf('again').key)).toEqual(whole)
  })

  it('that was rolled back is written by the next', async () => {
    const failing = write(here, [creationOf('undone', 'undone')], () => Promise.reject(bug('it fails')))
    await expect(failing).rejects.toThrow('it fails')
    await setImmediate()
    expect(await rowsUnder(setOf('undone').key)).toEqual({ tokens: 0, strings: 0 })
    await write(here, [creationOf('redone', 'undone')])
    expect(await rowsUnder(setOf('undone').key)).toEqual(whole)
  })

  it('that a database lost which fell back to an earlier state is back after a while', async () => {
    const { key } = setOf('lost')
    await write(here, [creationOf('lost-1', 'lost')])
    await setImmediate()
    await opened.database.run(sql`delete from fhir.tokens where key = ${key}::bigint`)
    await opened.database.run(sql`delete from fhir.strings where key = ${key}::bigint`)
    await clock.advance(600_000)
    await write(here, [creationOf('lost-2', 'lost')])
    expect(await rowsUnder(key)).toEqual(whole)
  })

  it('that another copy wrote is used', async () => {
    await write(elsewhere, [creationOf('theirs', 'theirs')])
    await write(here, [creationOf('ours', 'theirs')])
    expect(await sharedKeyOf('ours')).toBe(setOf('theirs').key)
    expect(await rowsUnder(setOf('theirs').key)).toEqual(whole)
  })

  it.each([
    ['commits', false],
    ['rolls back', true],
  ])('of two copies that write it at once the second waits, also when the first %s', async (_what, fails) => {
    const agent = `two-${fails}`
    let second: Promise<unknown> | undefined
    const first = write(here, [creationOf(`${agent}-1`, agent)], async (tx) => {
      second = write(elsewhere, [creationOf(`${agent}-2`, agent)])
      await waitFor(isAnybodyWaiting, { what: 'the second to wait for the first' })
      if (fails) throw bug('it fails')
      return tx
    })
    await Promise.allSettled([first])
    await second
    expect(await sharedKeyOf(`${agent}-2`)).toBe(setOf(agent).key)
    expect(await rowsUnder(setOf(agent).key)).toEqual(whole)
  })

  /** Not asked in the transaction of the first: there the list of sessions stays the one that was seen first. */
  const isAnybodyWaiting = async () => {
    const waiting = sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await opened.database.many(waiting)).length > 0
  }

  it('whose key stands for another set is not used: the resource has its rows itself', async () => {
    const { key } = setOf('collided')
    const other = { key, digest: 'of something else', rows: { tokens: [], strings: [], uris: [] } }
    await opened.database.transaction((tx) => elsewhere.settle([other], tx))
    for (const id of ['collided-1', 'collided-2']) {
      await write(here, [creationOf(id, 'collided'), creationOf(`${id}-beside`, 'beside')])
      await setImmediate()
      expect(await sharedKeyOf(id)).toBeNull()
      expect(await rowsUnder(resourceKey('AuditEvent', id))).toEqual({ tokens: 3, strings: 1 })
      expect(await sharedKeyOf(`${id}-beside`)).toBe(setOf('beside').key)
    }
  })

  it('takes the place of rows that a resource had itself', async () => {
    const before = creationOf('before', 'before')
    const index = unsharedIndex(indexOf('AuditEvent', eventOf('before')))
    await write(here, [{ ...before, body: { resource: eventOf('before'), index } }])
    expect(await rowsUnder(resourceKey('AuditEvent', 'before'))).toEqual({ tokens: 3, strings: 1 })
    await write(here, [{ ...before, method: 'PUT', target: { kind: 'id', id: 'before', mayCreate: false } }])
    expect(await rowsUnder(resourceKey('AuditEvent', 'before'))).toEqual({ tokens: 1, strings: 0 })
    expect(await rowsUnder(setOf('before').key)).toEqual(whole)
  })
})
