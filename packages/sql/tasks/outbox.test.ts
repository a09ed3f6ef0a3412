import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../clock/simulated-clock.ts'
import { incorrect } from '../../faults/fault.ts'
import { silentLog } from '../../log/log.ts'
import type { Database } from '../database.ts'
import { Outbox } from './outbox.ts'
import { sql } from '../sql.ts'
import { kitDatabase, type KitDatabase } from '../testing/kit-database.ts'

let server: KitDatabase
let database: Database
let clock: SimulatedClock
let outbox: Outbox

beforeAll(async () => {
  server = await kitDatabase()
  database = server.database
})

beforeEach(async () => {
  await database.run(sql`truncate kit.outbox`)
  clock = new SimulatedClock()
  outbox = new Outbox({ database, clock, log: silentLog })
})

afterAll(() => server.drop())

const enqueue = (key: string, payload: unknown) =>
  database.transaction((tx) => outbox.enqueue(tx, { topic: 'event', key, payload }))

describe('the outbox', () => {
  it('delivers at once what was enqueued here, with the id that enqueueing gave', async () => {
    const delivered = Promise.withResolvers<unknown>()
    const worker = outbox.deliver({ topics: ['event'], handle: async (message) => delivered.resolve(message) })
    worker.start()
    await worker.drain()
    // The clock stands still, so no poll can be what finds it.
    const [id] = await enqueue('patient/1', { name: 'written' })
    expect(await delivered.promise).toMatchObject({
      id,
      queue: 'event',
      key: 'patient/1',
      payload: { name: 'written' },
    })
    await worker.stop()
  })

  it('finds at its next poll what another copy enqueued', async () => {
    const other = new Outbox({ database, clock, log: silentLog })
    const delivered = Promise.withResolvers<unknown>()
    const worker = outbox.deliver({ topics: ['event'], handle: async ({ payload }) => delivered.resolve(payload) })
    worker.start()
    await worker.drain()
    await database.transaction((tx) => other.enqueue(tx, { topic: 'event', payload: 1 }))
    await clock.advance(1_200)
    expect(await delivered.promise).toBe(1)
    await worker.stop()
  })

  it('delivers nothing of a transaction that was rolled back', async () => {
    const refused = database.transaction(async (tx) => {
      await outbox.enqueue(tx, { topic: 'event', payload: 1 })
      throw new Error('no')
    })
    await expect(refused).rejects.toThrow('no')
    expect(await database.many(sql`select 1 from kit.outbox`)).toEqual([])
  })

  it('keeps the order of each key over workers, failures and repetitions', async () => {
    const keys = ['a', 'b', 'c', 'd', 'e']
    for (let number = 0; number < 20; number++) {
      await database.transaction((tx) =>
        outbox.enqueue(tx, ...keys.map((key) => ({ topic: 'event', key, payload: number }))),
      )
    }
    const delivered = new Map<string, number[]>()
    const underWay = new Set<string>()
    const doubled: string[] = []
    const failedOnce = new Set<string>()
    const workers = [1, 2, 3].map(() =>
      outbox.deliver<number>({
        topics: ['event'],
        backoff: { baseMs: 0, maxMs: 0, multiplier: 1, jitter: 0 },
        handle: async ({ key, payload, id }) => {
          const name = key ?? ''
          // Kept for later: what is thrown here is only tried again.
          if (underWay.has(name)) doubled.push(name)
          underWay.add(name)
          await new Promise((resolve) => setImmediate(resolve))
          underWay.delete(name)
          if (payload % 7 === 3 && !failedOnce.has(id)) {
            failedOnce.add(id)
            throw new Error('the receiver was busy')
          }
          delivered.set(name, [...(delivered.get(name) ?? []), payload])
        },
      }),
    )
    for (const worker of workers) worker.start()
    for (;;) {
      await Promise.all(workers.map((worker) => worker.drain()))
      if ((await database.many(sql`select 1 from kit.outbox`)).length === 0) break
    }
    await Promise.all(workers.map((worker) => worker.stop()))
    expect(doubled).toEqual([])
    const inOrder = Array.from({ length: 20 }, (_, number) => number)
    expect(Object.fromEntries(delivered)).toEqual(Object.fromEntries(keys.map((key) => [key, inOrder])))
  })

  it('lets a dead message no longer hold back those after it', async () => {
    await enqueue('patient/1', 'poison')
    await enqueue('patient/1', 'good')
    const delivered: unknown[] = []
    const worker = outbox.deliver({
      topics: ['event'],
      isPermanent: ({ kind }) => kind === 'incorrect',
      handle: async ({ payload }) => {
        if (payload === 'poison') throw incorrect('The receiver will never take it.')
        delivered.push(payload)
      },
    })
    worker.start()
    await worker.drain()
    await worker.stop()
    expect(delivered).toEqual(['good'])
    expect(await outbox.dead('event')).toMatchObject([
      { key: 'patient/1', payload: 'poison', attempts: 1, lastError: 'The receiver will never take it.' },
    ])
  })

  it('can be written with the other statements of a transaction', async () => {
    const { ids, statement } = outbox.insert([
      { topic: 'event', key: 'a', payload: 1 },
      { topic: 'event', key: 'a', payload: 2 },
    ])
    await database.transaction((tx) => tx.commitWith([statement]))
    expect(await database.many(sql`select id from kit.outbox order by position`)).toEqual(ids.map((id) => ({ id })))
  })
})
