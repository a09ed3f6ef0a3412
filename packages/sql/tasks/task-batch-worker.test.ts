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
    await waitFor(async () => clock.advance(300_000).then(() => done.length === 2), {
      everyMs: 5,
      what: 'the work to be done',
    })
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

  it('buries at once what no repetition can mend', async () => {
    await enqueue(['bad', 'worse'])
    const worker = outbox.deliverInBatches<string>({
      topics: ['event'],
      isPermanent: ({ message }, attempt) => message === 'worse' || attempt === 3,
      handle: async ([task, ...others]) => {
        throw incorrect(others.length > 0 ? 'both' : (task?.payload ?? ''))
      },
    })
    worker.start()
    const isOver = async () => (await outbox.dead('event')).length === 2
    await waitFor(async () => clock.advance(300_000).then(isOver), { everyMs: 5, what: 'both to be buried' })
    await worker.stop()
    const attempts = new Map((await outbox.dead('event')).map((task) => [task.payload, task.attempts]))
    expect([attempts.get('bad'), attempts.get('worse')]).toEqual([3, 1])
  })

  it.each([
    ['the batch', (_count: number) => true, [3]],
    ['one of a batch that failed', (count: number) => count === 1, [3, 1]],
  ])(
    'ends %s when the grace time is over, begins no other, and gives all back as they were',
    async (_what, waits, sizes) => {
      const begun: number[] = []
      await enqueue(['1', '2', '3'])
      const worker = outbox.deliverInBatches<string>({
        topics: ['event'],
        attemptsMax: 1,
        handle: async ({ length }, signal) => {
          begun.push(length)
          if (!waits(length)) throw incorrect('This cannot be done.')
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cut off'))))
        },
      })
      worker.start()
      await waitFor(() => begun.length === sizes.length, { what: 'the work to begin' })
      const stopped = worker.stop(50)
      await clock.advance(50)
      await stopped
      expect(begun).toEqual(sizes)
      expect(await database.many(sql`select 1 from kit.outbox where lease is null and attempts = 0`)).toHaveLength(3)
    },
  )

  it('takes a batch that outlasts its lease for one that waits for the outside', async () => {
    let reason: unknown
    await enqueue(['1', '2'])
    const worker = outbox.deliverInBatches<string>({
      topics: ['event'],
      attemptsMax: 1,
      leaseMs: 1_000,
      handle: async (_tasks, signal) => {
        if (reason !== undefined) return
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        reason = signal.reason
        signal.throwIfAborted()
      },
    })
    worker.start()
    await waitFor(() => clock.waiting > 0, { what: 'the work to begin' })
    await waitFor(async () => clock.advance(300_000).then(async () => (await left()) === 0), {
      what: 'the work to be done',
    })
    await worker.stop()
    expect(reason).toMatchObject({ kind: 'unavailable', code: 'TASK_TIMEOUT' })
    expect(await outbox.dead('event')).toEqual([])
  })

  it.each([
    ['is too much at once', (tasks: readonly unknown[]) => tasks.length > 2, 0],
    ['has one that always outlasts its lease', (tasks: readonly { payload: string }[]) => tasks.some(isSlow), 1],
  ])('claims fewer where a batch %s, and the others are done', async (_what, outlasts, dead) => {
    await enqueue(['1', '2', 'slow', '4', '5'])
    const worker = outbox.deliverInBatches<string>({
      topics: ['event'],
      attemptsMax: 1,
      leaseMs: 1_000,
      handle: async (tasks, signal) => {
        if (!outlasts(tasks)) return
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        signal.throwIfAborted()
      },
    })
    worker.start()
    await waitFor(() => clock.waiting > 0, { what: 'the work to begin' })
    const isOver = async () => (await database.many(sql`select 1 from kit.outbox where dead_at is null`)).length === 0
    await waitFor(async () => clock.advance(300_000).then(isOver), { everyMs: 5, what: 'the work to be done' })
    await worker.stop()
    expect(await outbox.dead('event')).toHaveLength(dead)
  })

  const isSlow = ({ payload }: { payload: string }) => payload === 'slow'
})
