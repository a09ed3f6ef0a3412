import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../clock/simulated-clock.ts'
import { incorrect, unavailable } from '../../faults/fault.ts'
import { silentLog } from '../../log/log.ts'
import { waitFor } from '../../testkit/wait-for.ts'
import type { Database } from '../database.ts'
import { Outbox } from './outbox.ts'
import { sql, type Statement } from '../sql.ts'
import { kitDatabase, type KitDatabase } from '../testing/kit-database.ts'

let server: KitDatabase
let database: Database
let clock: SimulatedClock
let outbox: Outbox

beforeAll(async () => {
  server = await kitDatabase()
  database = server.database
  await database.run(sql`create table public.told (id uuid primary key)`)
})

beforeEach(async () => {
  await database.run(sql`truncate kit.outbox, public.told`)
  clock = new SimulatedClock()
  outbox = new Outbox({ database, clock, log: silentLog })
})

afterAll(() => server.drop())

const enqueue = (payloads: readonly string[], key?: string) =>
  database.transaction((tx) =>
    outbox.enqueue(
      tx,
      ...payloads.map((payload) => ({ topic: 'event', payload, ...(key === undefined ? {} : { key }) })),
    ),
  )
const left = async () => Number((await database.one<{ n: string }>(sql`select count(*) as n from kit.outbox`)).n)

describe('a worker of batches', () => {
  it('does many at once, and writes their effect together with their end', async () => {
    const sizes: number[] = []
    await enqueue(Array.from({ length: 250 }, (_, n) => String(n)))
    const worker = outbox.deliverInBatches<string>({
      topics: ['event'],
      handle: async (tasks) => {
        sizes.push(tasks.length)
        return async (tx) => {
          await tx.run(sql`insert into public.told select unnest(${tasks.map(({ id }) => id)}::uuid[])`)
        }
      },
    })
    worker.start()
    await worker.drain()
    await worker.stop()
    expect(sizes).toEqual([100, 100, 50])
    expect(await left()).toBe(0)
    expect(await database.many(sql`select 1 from public.told`)).toHaveLength(250)
  })

  it('counts no look that began before it was asked for the end', async () => {
    const looked = Promise.withResolvers<void>()
    const added = Promise.withResolvers<void>()
    const late: Database = {
      ...database,
      async many<Row>(statement: Statement) {
        const rows = await database.many<Row>(statement)
        looked.resolve()
        await added.promise
        return rows
      },
    }
    const seen: string[] = []
    const worker = new Outbox({ database: late, clock, log: silentLog }).deliverInBatches<string>({
      topics: ['event'],
      handle: async (tasks) => void seen.push(...tasks.map(({ payload }) => payload)),
    })
    worker.start()
    await looked.promise
    await enqueue(['late'])
    const drained = worker.drain()
    added.resolve()
    await drained
    await worker.stop()
    expect(seen).toEqual(['late'])
  })

  it('takes those of one key one after the other', async () => {
    const seen: string[][] = []
    await enqueue(['1', '2', '3'], 'patient')
    const worker = outbox.deliverInBatches<string>({
      topics: ['event'],
      handle: async (tasks) => void seen.push(tasks.map(({ payload }) => payload)),
    })
    worker.start()
    await worker.drain()
    await worker.stop()
    expect(seen).toEqual([['1'], ['2'], ['3']])
  })

  it('waits as a whole while the outside is away, without using up attempts', async () => {
    let isAway = true
    const done: string[] = []
    await enqueue(['1', '2'])
    const worker = outbox.deliverInBatches<string>({
      topics: ['event'],
      attemptsMax: 1,
      handle: async (tasks) => {
        if (isAway) throw unavailable('The repository is away.')
        done.push(...tasks.map(({ payload }) => payload))
      },
    })
    worker.start()
    for (let round = 0; round < 5; round++) {
      await waitFor(() => clock.waiting > 0, { what: 'the worker to wait' })
      await clock.advance(300_000)
    }
    isAway = false
    await waitFor(async () => clock.advance(300_000).then(() => done.length === 2), { what: 'the work to be done' })
    await worker.stop()
    expect(done.sort()).toEqual(['1', '2'])
    expect(await left()).toBe(0)
  })

  it('lets one bad task fail alone, and buries it after its last attempt', async () => {
    const done: string[] = []
    await enqueue(['1', 'bad', '2'])
    const worker = outbox.deliverInBatches<string>({
      topics: ['event'],
      attemptsMax: 1,
      handle: async (tasks) => {
        if (tasks.some(({ payload }) => payload === 'bad')) throw incorrect('This cannot be done.')
        done.push(...tasks.map(({ payload }) => payload))
      },
    })
    worker.start()
    await worker.drain()
    await worker.stop()
    expect(done.sort()).toEqual(['1', '2'])
    expect(await outbox.dead('event')).toMatchObject([{ payload: 'bad', lastError: 'This cannot be done.' }])
  })
})
