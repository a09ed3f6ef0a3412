import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { forbidden, incorrect, unavailable } from '../../../packages/faults/fault.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { Outbox } from '../../../packages/sql/tasks/outbox.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { TestDatabase } from '../../../packages/testkit/test-database.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import type { PostWriteEvent } from '../../../ports/coordination/coordination.ts'
import { unavailableFhirStore } from '../../../ports/fhir-store/unavailable-fhir-store.ts'
import type { ResourceMatching } from '../../../ports/resource-matching/resource-matching.ts'
import { finishedMessage, succeeded } from '../audit/testing/finished-messages.ts'
import { tellingPart } from '../pipeline/telling.ts'
import { SubscriptionBook } from '../subscriptions/subscription-book.ts'
import { bridgeDatabase } from '../testing/bridge-database.ts'
import { asideMessage, asideTopic, dispatchTelling } from '../pipeline/6-dispatch.ts'
import { coordinationTopic } from '../coordination/tell-coordination.ts'
import { evaluateAside, evaluateLine } from './evaluate-events.ts'
import { writeEventOf } from '../pipeline/write-event.ts'
import { casesOf } from '../../../packages/testkit/extent.ts'

let server: TestDatabase
let database: Database
let clock: SimulatedClock
/** How often an event still fails by itself, by its transaction. */
let failing: Map<string, number>
/** How often the store still refuses to show what it has written. */
let refused: Map<string, number>
let isAway: boolean

const forGood = 1_000

beforeAll(async () => {
  server = await bridgeDatabase()
  database = await openDatabase({ url: server.url, poolMax: 8, log: silentLog })
})
beforeEach(() => begin())
afterAll(async () => {
  await database.close()
  await server.drop()
})

async function begin() {
  await database.run(sql`truncate kit.outbox, kit.lines`)
  clock = new SimulatedClock('2026-03-04T05:06:07Z')
  failing = new Map()
  refused = new Map()
  isAway = false
}

/** The versions that an event names carry its transaction. */
const matching: ResourceMatching = {
  async readVersions(versions) {
    if (isAway) throw unavailable('The store is away.')
    for (const { id } of versions) {
      const times = refused.get(id) ?? 0
      refused.set(id, times - 1)
      if (times > 0) throw forbidden('You may not read this.')
    }
    const failed = versions.filter(({ id }) => (failing.get(id) ?? 0) > 0).map(({ id }) => id)
    if (versions.length === failed.length) for (const id of failed) failing.set(id, (failing.get(id) ?? 0) - 1)
    if (failed.length > 0) throw incorrect('This cannot be read.')
    return versions.map(() => undefined)
  },
  matches: async (_, resources) => resources.map(() => false),
}

const finishedOf = (transactionId: string) => {
  const [patient = ''] = transactionId.split('-')
  const resources = [{ reference: `Patient/${transactionId}`, type: 'Patient', operation: 'update' as const }]
  return finishedMessage({ transactionId, outcome: { ...succeeded, patient, resources } })
}

/** A copy of the bridge as far as it evaluates. */
function copy() {
  const outbox = new Outbox({ database, clock, log: silentLog })
  const fhirStore = { ...unavailableFhirStore, searchAll: async () => [] }
  const book = new SubscriptionBook({
    fhirStore,
    clock,
    log: silentLog,
    refusal: () => undefined,
    criteriaRefusal: async () => undefined,
  })
  const authorities = { base: 'https://corridor.example', namespaces: new Map<string, never>() }
  const sender = { application: 'CORRIDOR', facility: 'HIE', authorities }
  const facilities = { find: async () => new Map<string, never>() }
  const deps = { outbox, database, matching, book, clock, sender, facilities, timeZone: 'UTC' }
  const workers = [evaluateLine(deps), evaluateAside(deps)]
  const part = tellingPart([dispatchTelling(outbox)], outbox)
  return {
    outbox,
    start: () => workers.forEach((worker) => worker.start()),
    stop: () => Promise.all(workers.map((worker) => worker.stop())),
    /** One commit in which these messages end. */
    async commit(...transactionIds: readonly string[]) {
      const finished = transactionIds.map(finishedOf)
      const statement = part.statement(finished)
      if (statement !== undefined) await database.run(statement)
      part.committed(finished)
    },
  }
}

/** Who was told of, in the order of the outbox: each evaluation adds one message at its end. */
async function told(): Promise<string[]> {
  const rows = await database.many<{ payload: readonly PostWriteEvent[] }>(sql`
    select payload from kit.outbox where queue = ${coordinationTopic} order by position, id`)
  return rows.flatMap(({ payload }) => payload.map(({ transactionId }) => transactionId))
}

/** Moves time on until nothing waits to be evaluated. */
const evaluated = () =>
  waitFor(
    async () => {
      await clock.leap(5_000)
      const waiting = await database.many(sql`
        select 1 from kit.outbox where queue <> ${coordinationTopic} and dead_at is null`)
      return waiting.length === 0
    },
    { everyMs: 5, what: 'all to be evaluated', deadlineMs: 60_000 },
  )

const isTold = (id: string) =>
  waitFor(async () => clock.advance(200).then(async () => (await told()).includes(id)), {
    everyMs: 5,
    what: `${id} to be told`,
  })

const of = (patient: string, all: readonly string[]) => all.filter((id) => id.startsWith(`${patient}-`))

describe('evaluation', () => {
  it('has one row of the outbox for messages that end together', async () => {
    await copy().commit('a-1', 'b-1', 'c-1')
    expect(await database.many(sql`select queue, json_array_length(payload) as events from kit.outbox`)).toEqual([
      { queue: 'bridge.writes', events: 3 },
    ])
  })

  it('passes by an event that fails by itself, except for its patient, and buries it after its last attempt', async () => {
    failing.set('a-2', forGood)
    const bridge = copy()
    await bridge.commit('a-1', 'b-1')
    await bridge.commit('a-2', 'b-2', 'a-3')
    bridge.start()
    await isTold('b-2')
    await bridge.commit('b-3', 'a-4')
    await isTold('b-3')
    expect(of('a', await told())).toEqual(['a-1'])
    await evaluated()
    await bridge.stop()
    expect(of('a', await told())).toEqual(['a-1', 'a-3', 'a-4'])
    expect(of('b', await told())).toEqual(['b-1', 'b-2', 'b-3'])
    expect(await bridge.outbox.dead(asideTopic)).toMatchObject([
      { key: 'a', attempts: 10, lastError: 'This cannot be read.', payload: { transactionId: 'a-2' } },
    ])
  })

  it('gives no event up because the store refuses it to us, and keeps its patient’s others behind it', async () => {
    refused.set('a-1', 50)
    const bridge = copy()
    await bridge.commit('a-1', 'b-1')
    await bridge.commit('a-2')
    bridge.start()
    await isTold('b-1')
    await evaluated()
    await bridge.stop()
    expect(of('a', await told())).toEqual(['a-1', 'a-2'])
    expect(await bridge.outbox.dead(asideTopic)).toEqual([])
  })

  it('still does what an earlier version has left, before what came later of the same patients', async () => {
    const bridge = copy()
    const old = ['a-1', 'a-2'].flatMap((id) => writeEventOf(finishedOf(id)) ?? [])
    await database.transaction((tx) => bridge.outbox.enqueue(tx, ...old.map(asideMessage)))
    await bridge.commit('a-3', 'b-1')
    bridge.start()
    await evaluated()
    await bridge.stop()
    expect(of('a', await told())).toEqual(['a-1', 'a-2', 'a-3'])
    expect(of('b', await told())).toEqual(['b-1'])
  })
})

type Copies = ReturnType<typeof copy>[]
type Step = (copies: Copies, commit: (patients: readonly string[]) => readonly string[]) => unknown

const patients = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 5 })
const either = fc.nat({ max: 1 })
const steps: readonly fc.WeightedArbitrary<Step>[] = [
  {
    weight: 6,
    arbitrary: fc.tuple(either, patients).map(
      ([one, some]) =>
        (copies, commit) =>
          copies[one]?.commit(...commit(some)),
    ),
  },
  { weight: 4, arbitrary: fc.integer({ min: 100, max: 3_000 }).map((ms) => () => clock.advance(ms)) },
  { weight: 1, arbitrary: fc.constant(() => clock.advance(40_000)) },
  { weight: 1, arbitrary: fc.boolean().map((away) => () => void (isAway = away)) },
  {
    weight: 1,
    arbitrary: either.map((one) => async (copies) => {
      await copies[one]?.stop()
      copies[one] = copy()
      copies[one].start()
    }),
  },
]

it('tells each event once and those of a patient in their order, whatever fails how often', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(...steps), { minLength: 10, maxLength: 40, size: 'max' }),
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat({ max: 8 }), fc.constantFrom(1, 2, 3, forGood))),
      async (taken, bad) => {
        await begin()
        for (const [patient, number, times] of bad) failing.set(`${patient}-${number}`, times)
        const dead = new Set([...failing].filter(([, times]) => times === forGood).map(([id]) => id))
        const counts = new Map<string, number>()
        const commit = (some: readonly string[]) =>
          some.map((patient) => {
            const number = counts.get(patient) ?? 0
            counts.set(patient, number + 1)
            return `${patient}-${number}`
          })
        const copies = [copy(), copy()]
        for (const one of copies) one.start()
        for (const take of taken) await take(copies, commit)
        isAway = false
        await evaluated()
        for (const one of copies) await one.stop()
        const all = await told()
        for (const [patient, count] of counts) {
          const expected = Array.from({ length: count }, (_, number) => `${patient}-${number}`)
          expect(of(patient, all)).toEqual(expected.filter((id) => !dead.has(id)))
        }
      },
    ),
    { numRuns: casesOf({ daily: 8, long: 100, night: 300 }) },
  )
}, 600_000)
