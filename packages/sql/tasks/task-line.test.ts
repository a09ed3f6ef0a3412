import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemIds } from '../../clock/ids.ts'
import { SimulatedClock } from '../../clock/simulated-clock.ts'
import { incorrect, unavailable } from '../../faults/fault.ts'
import { silentLog } from '../../log/log.ts'
import { waitFor } from '../../testkit/wait-for.ts'
import type { Database } from '../database.ts'
import { newLease } from './lease.ts'
import { Outbox } from './outbox.ts'
import { sql } from '../sql.ts'
import { TaskLine } from './task-line.ts'
import type { ClaimedTask } from './task.ts'
import { kitDatabase, type KitDatabase } from '../testing/kit-database.ts'
import { thisProcess } from './this-process.ts'

let server: KitDatabase
let database: Database
let clock: SimulatedClock
let outbox: Outbox

beforeAll(async () => {
  server = await kitDatabase()
  database = server.database
  await database.run(sql`create table public.told (number serial primary key, what text not null unique)`)
})

beforeEach(async () => {
  await database.run(sql`truncate kit.outbox, kit.lines, public.told restart identity`)
  clock = new SimulatedClock()
  outbox = new Outbox({ database, clock, log: silentLog })
})

afterAll(() => server.drop())

const name = { queue: 'events', key: 'all' }
const takes = { limit: 100, leaseMs: 60_000 }
const message = (payload: unknown) => ({ topic: name.queue, key: name.key, payload })
const copy = (bytesMax = 1_000_000) =>
  new TaskLine<string>('outbox', { ...name, bytesMax }, { database, clock, log: silentLog })
const add = (...payloads: readonly string[]) =>
  database.transaction((tx) => outbox.enqueue(tx, ...payloads.map(message)))
const claim = async (line: TaskLine<string>, limit = 100) => (await line.claim({ ...takes, limit })).tasks
const payloadsOf = (tasks: readonly ClaimedTask<string>[]) => tasks.map(({ payload }) => payload)
const left = async () =>
  (await database.many<{ payload: string }>(sql`select payload from kit.outbox order by position, id`)).map(
    ({ payload }) => payload,
  )
const told = async () =>
  (await database.many<{ what: string }>(sql`select what from public.told order by number`)).map(({ what }) => what)

/** A transaction that has added something and is not committed yet. */
async function adding(payload: string) {
  const added = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const committed = database.transaction(async (tx) => {
    await outbox.enqueue(tx, message(payload))
    added.resolve()
    await gate.promise
  })
  await added.promise
  return { commit: () => (gate.resolve(), committed) }
}

describe('a line', () => {
  it('is taken from its beginning, as many as asked for, and what is completed is gone', async () => {
    await add('1', '2')
    await add('3', '4', '5')
    const line = copy()
    const tasks = await claim(line, 3)
    expect(payloadsOf(tasks)).toEqual(['1', '2', '3'])
    expect(await line.complete(database, tasks)).toBe(true)
    expect(await left()).toEqual(['4', '5'])
    expect(payloadsOf(await claim(line))).toEqual(['4', '5'])
  })

  it('ends a batch with the task that reaches the size, and says that there is more', async () => {
    const long = 'x'.repeat(1_000)
    await add(long, long, long)
    const line = copy(1_500)
    const { tasks, isFull } = await line.claim(takes)
    expect([tasks.length, isFull]).toEqual([2, true])
    await line.complete(database, tasks)
    expect(await line.claim(takes)).toMatchObject({ tasks: { length: 1 }, isFull: false })
  })

  it('gives none of it to another copy while one has it in hand, also of what was added meanwhile', async () => {
    await add('1', '2', '3')
    const [one, other] = [copy(), copy()]
    const tasks = await claim(one, 1)
    await add('4')
    expect(await claim(other)).toEqual([])
    await one.complete(database, tasks)
    expect(payloadsOf(await claim(other))).toEqual(['2', '3', '4'])
  })

  it('comes back in its order when it is given back', async () => {
    await add('1', '2', '3')
    const [one, other] = [copy(), copy()]
    await one.giveBack(await claim(one))
    await add('4')
    expect(payloadsOf(await claim(other))).toEqual(['1', '2', '3', '4'])
  })

  it('is taken over when the lease has ended, and whoever had it can complete nothing', async () => {
    await add('1', '2')
    const [slow, other] = [copy(), copy()]
    const mine = await claim(slow)
    await clock.advance(60_000)
    const theirs = await claim(other, 1)
    expect(payloadsOf(theirs)).toEqual(['1'])
    expect(await slow.complete(database, mine)).toBe(false)
    await slow.giveBack(mine)
    expect(await claim(copy())).toEqual([])
    expect(await other.complete(database, theirs)).toBe(true)
    expect(await slow.complete(database, mine)).toBe(false)
    expect(await left()).toEqual(['2'])
  })

  it('that could not be given back is taken again by whoever had it, and by nobody else before its time', async () => {
    await add('1')
    const line = copy()
    const tasks = await claim(line)
    expect(await claim(copy())).toEqual([])
    expect(payloadsOf(await claim(line))).toEqual(['1'])
    expect(await line.complete(database, tasks)).toBe(false)
    expect(await left()).toEqual(['1'])
  })

  it('of a process of this place that is gone is let go, and of one that is there it is not', async () => {
    await add('1')
    const own = thisProcess()
    await claim(copy())
    await copy().letAbandonedGo()
    expect(await claim(copy())).toEqual([])
    const gone = newLease({ ...own, startedAt: new Date(0) }, systemIds)
    await database.run(sql`update kit.lines set lease = ${gone}`)
    await copy().letAbandonedGo()
    expect(payloadsOf(await claim(copy()))).toEqual(['1'])
  })

  it('is not touched by a look that finds nothing', async () => {
    await claim(copy())
    expect(await database.many(sql`select 1 from kit.lines`)).toEqual([])
  })

  it('is in the hands of one alone when many want it at once', async () => {
    const all = Array.from({ length: 200 }, (_, number) => String(number))
    await add(...all)
    const seen: string[] = []
    let underWay = 0
    const work = async (line: TaskLine<string>) => {
      for (;;) {
        const tasks = await claim(line, 7)
        if (tasks.length === 0) {
          if ((await left()).length === 0) return
          continue
        }
        expect(++underWay).toBe(1)
        seen.push(...payloadsOf(tasks))
        await database.transaction(async (tx) => {
          expect(await line.complete(tx, tasks)).toBe(true)
          underWay--
        })
      }
    }
    await Promise.all([copy(), copy(), copy(), copy()].map(work))
    expect(seen).toEqual(all)
  })
})

describe('what is added to a line', () => {
  it('waits for no other transaction that adds to it, whichever of them is committed first', async () => {
    const early = await adding('early')
    await add('late')
    expect(payloadsOf(await claim(copy()))).toEqual(['late'])
    await early.commit()
    expect(await left()).toHaveLength(2)
  })

  it('and committed later than what stands behind it is found, and by nobody while the line is in hand', async () => {
    const early = await adding('early')
    await add('late', 'later')
    const line = copy()
    const tasks = await claim(line)
    await early.commit()
    expect(await claim(copy())).toEqual([])
    await line.giveBack(tasks)
    // Nobody waited for its commit, so its place among them is as good as another.
    expect(payloadsOf(await claim(line)).sort()).toEqual(['early', 'late', 'later'])
  })

  it('stands behind all that was committed before, whether that waits, is in hand or was done', async () => {
    const straggler = await adding('straggler')
    for (let number = 0; number < 50; number++) await add(`done ${number}`)
    const line = copy()
    await line.complete(database, await claim(line))
    await straggler.commit()
    await add('1')
    const tasks = await claim(line, 1)
    await add('2')
    await line.giveBack(tasks)
    await add('3')
    expect(await left()).toEqual(['straggler', '1', '2', '3'])
    await line.complete(database, await claim(line))
    await add('4')
    const { position } = await database.one<{ position: string }>(sql`select position from kit.outbox`)
    expect(Number(position)).toBeGreaterThan(50)
  })

  it('is found whether or not it was marked as waiting for another one', async () => {
    await add('1')
    const line = copy()
    const tasks = await claim(line)
    // Sees the one before, which is gone when this is committed.
    const next = await adding('2')
    await line.complete(database, tasks)
    await next.commit()
    expect(await database.many(sql`select 1 from kit.outbox where waits`)).toHaveLength(1)
    expect(payloadsOf(await claim(line))).toEqual(['2'])
  })

  it('is put behind the last without a look at what was removed', async () => {
    for (let round = 0; round < 3; round++) await add(...Array.from({ length: 400 }, (_, number) => String(number)))
    const line = copy()
    await line.complete(database, await claim(line, 1_200))
    const { statement } = outbox.insert([message('next')])
    const plan = await database.transaction(async (tx) => {
      await tx.run(sql`set local enable_seqscan = off`)
      await tx.run(sql`set local enable_bitmapscan = off`)
      return tx.many<{ 'QUERY PLAN': string }>(sql`explain (analyze, costs off, timing off, buffers) ${statement}`)
    })
    const text = plan.map((row) => row['QUERY PLAN']).join('\n')
    expect(text).toMatch(/Index (Only )?Scan Backward using outbox_order/)
    expect(text).toMatch(/"?position"? > COALESCE/)
  })
})

describe('a worker of a line', () => {
  const deliver = (options: {
    readonly handle: (payloads: readonly string[]) => void
    readonly from?: Outbox
    readonly setAside?: (payloads: readonly string[]) => void
  }) =>
    (options.from ?? outbox).deliverLine<string>({
      topic: name.queue,
      key: name.key,
      bytesMax: 1_000_000,
      batchMax: 10,
      handle: async (tasks) => {
        options.handle(payloadsOf(tasks))
        return async (tx) => {
          await tx.run(sql`insert into public.told (what) select unnest(${payloadsOf(tasks)}::text[])`)
        }
      },
      setAside: (tasks) => async (tx) => {
        options.setAside?.(payloadsOf(tasks))
        await outbox.enqueue(tx, ...payloadsOf(tasks).map((payload) => ({ topic: 'aside', payload })))
      },
    })

  it('does all that wait in their order, with other copies', async () => {
    const all = Array.from({ length: 95 }, (_, number) => String(number))
    for (const payload of all) await add(payload)
    const workers = [1, 2, 3].map(() =>
      deliver({ handle: () => {}, from: new Outbox({ database, clock, log: silentLog }) }),
    )
    for (const worker of workers) worker.start()
    await waitFor(
      async () => {
        await Promise.all(workers.map((worker) => worker.drain()))
        return (await left()).length === 0
      },
      { what: 'the line to be done' },
    )
    await Promise.all(workers.map((worker) => worker.stop()))
    expect(await told()).toEqual(all)
  })

  it('waits while the outside is away, and goes on where it was', async () => {
    await add('1', '2')
    let isAway = true
    const worker = deliver({
      handle: () => {
        if (isAway) throw unavailable('The store is away.')
      },
    })
    worker.start()
    await waitFor(() => clock.waiting > 0, { what: 'the worker to wait' })
    await add('3')
    isAway = false
    await waitFor(async () => clock.advance(300_000).then(async () => (await told()).length === 3), {
      what: 'the work',
    })
    await worker.stop()
    expect(await told()).toEqual(['1', '2', '3'])
  })

  it('sets aside what fails by itself, together with its removal, and goes on with the next', async () => {
    await add(...Array.from({ length: 10 }, (_, number) => (number === 4 ? 'bad' : String(number))))
    await add('after')
    const aside: string[] = []
    const worker = deliver({
      handle: (payloads) => {
        if (payloads.includes('bad')) throw incorrect('This cannot be done.')
      },
      setAside: (payloads) => aside.push(...payloads),
    })
    worker.start()
    await worker.drain()
    await worker.stop()
    expect(aside).toEqual(['0', '1', '2', '3', 'bad', '5', '6', '7', '8', '9'])
    expect(await told()).toEqual(['after'])
    expect(await database.many(sql`select distinct queue from kit.outbox`)).toEqual([{ queue: 'aside' }])
  })

  it('gives the line back when it is stopped in the middle', async () => {
    await add('1')
    const began = Promise.withResolvers<void>()
    const worker = outbox.deliverLine<string>({
      ...{ topic: name.queue, key: name.key, bytesMax: 1_000 },
      handle: (_, signal) => {
        began.resolve()
        return new Promise((__, reject) => signal.addEventListener('abort', () => reject(unavailable('It stops.'))))
      },
      setAside: () => async () => {},
    })
    worker.start()
    await began.promise
    const stopped = worker.stop(5_000)
    await clock.advance(5_000)
    await stopped
    expect(payloadsOf(await claim(copy()))).toEqual(['1'])
  })
})

describe('open keys', () => {
  it('are those with something that is neither done nor dead', async () => {
    const keyed = (key: string) => ({ topic: 'event', key, payload: key })
    await database.transaction((tx) => outbox.enqueue(tx, keyed('a'), keyed('a'), keyed('b'), keyed('dead')))
    await database.run(sql`update kit.outbox set dead_at = now() where key = 'dead'`)
    expect(await outbox.openKeys('event', ['a', 'b', 'c', 'dead'])).toEqual(new Set(['a', 'b']))
    expect(await outbox.openKeys('other', ['a'])).toEqual(new Set())
  })
})
