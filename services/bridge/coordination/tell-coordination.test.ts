import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import {
  bug,
  conflict,
  forbidden,
  incorrect,
  missing,
  unavailable,
  unprocessable,
  type Fault,
} from '../../../packages/faults/fault.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { Outbox } from '../../../packages/sql/tasks/outbox.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { TestDatabase } from '../../../packages/testkit/test-database.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import type { Coordination } from '../../../ports/coordination/coordination.ts'
import { bridgeDatabase } from '../testing/bridge-database.ts'
import { coordinationTopic, tellCoordination } from './tell-coordination.ts'

let server: TestDatabase
let database: Database
let clock: SimulatedClock
let outbox: Outbox
beforeAll(async () => {
  server = await bridgeDatabase()
  database = await openDatabase({ url: server.url, poolMax: 4, log: silentLog })
})
beforeEach(async () => {
  await database.run(sql`truncate kit.outbox`)
  clock = new SimulatedClock('2026-03-04T05:06:07Z')
  outbox = new Outbox({ database, clock, log: silentLog })
})
afterAll(async () => {
  await database.close()
  await server.drop()
})

/** Two tasks of one event each, told to a service that takes them in its own way, until none is left to be told. */
async function told(postWrite: (eventId: string, attempt: number, signal: AbortSignal) => Promise<void>) {
  const attempts = new Map<string, number>()
  const taken: string[] = []
  const coordination: Coordination = {
    async postWrite([event], { signal = new AbortController().signal } = {}) {
      const eventId = event?.eventId ?? ''
      const attempt = (attempts.get(eventId) ?? 0) + 1
      attempts.set(eventId, attempt)
      await postWrite(eventId, attempt, signal)
      taken.push(eventId)
    },
  }
  const messages = ['first', 'second'].map((eventId) => ({
    ...{ topic: coordinationTopic, key: coordinationTopic },
    payload: [{ eventId }],
  }))
  await database.transaction((tx) => outbox.enqueue(tx, ...messages))
  const worker = tellCoordination(coordination, outbox)
  worker.start()
  const open = sql`select 1 from kit.outbox where dead_at is null`
  const isOver = async () => clock.advance(60_000).then(async () => (await database.many(open)).length === 0)
  await waitFor(isOver, { what: 'all to be told', deadlineMs: 60_000 })
  await worker.stop()
  const dead = await outbox.dead(coordinationTopic)
  return { taken, attempts, dead: dead.map((task) => task.attempts) }
}

describe('events that the coordination service does not take', () => {
  it.each([
    ['because they outlast their time', undefined, 3],
    ['because it is away', unavailable('Away.'), 30],
    ['because it does not let us in', forbidden('Not you.'), 30],
    ['because it is at another address', missing('Not here.'), 30],
    ['because it is at odds with them', conflict('Not now.'), 30],
    ['because something broke', bug('broken'), 3],
  ])('wait and are told again, in their order: %s', async (_, fault, times) => {
    const { taken, dead } = await told(async (eventId, attempt, signal) => {
      if (eventId !== 'first' || attempt > times) return
      if (fault !== undefined) throw fault
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      signal.throwIfAborted()
    })
    expect(taken).toEqual(['first', 'second'])
    expect(dead).toEqual([])
  })

  it.each<[string, Fault, number]>([
    ['at once', incorrect('It is refused.'), 1],
    ['at once', unprocessable('It is refused.'), 1],
    ['after some attempts', bug('broken'), 10],
  ])('are given up %s and kept, and those behind them are told', async (_, fault, attempts) => {
    const { taken, dead } = await told(async (eventId) => {
      if (eventId === 'first') throw fault
    })
    expect(taken).toEqual(['second'])
    expect(dead).toEqual([attempts])
  })
})
