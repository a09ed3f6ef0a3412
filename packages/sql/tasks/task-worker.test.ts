import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../clock/simulated-clock.ts'
import { silentLog } from '../../log/log.ts'
import { waitFor } from '../../testkit/wait-for.ts'
import type { Database } from '../database.ts'
import { Outbox, type DeliverOptions } from './outbox.ts'
import { sql } from '../sql.ts'
import type { TaskEnd } from './task-end.ts'
import { kitDatabase, type KitDatabase } from '../testing/kit-database.ts'

let server: KitDatabase
let database: Database
let clock: SimulatedClock
let outbox: Outbox

beforeAll(async () => {
  server = await kitDatabase()
  database = server.database
  await database.run(sql`create table public.told (what text not null check (what <> 'poison'), ended text not null)`)
})

beforeEach(async () => {
  await database.run(sql`truncate kit.outbox, public.told`)
  clock = new SimulatedClock()
  outbox = new Outbox({ database, clock, log: silentLog })
})

afterAll(() => server.drop())

const enqueue = (...payloads: readonly string[]) =>
  database.transaction((tx) => outbox.enqueue(tx, ...payloads.map((payload) => ({ topic: 'event', payload }))))
const told = async () =>
  (await database.many<{ line: string }>(sql`select what || ' ' || ended as line from public.told order by 1`)).map(
    ({ line }) => line,
  )
const left = async () => Number((await database.one<{ n: string }>(sql`select count(*) as n from kit.outbox`)).n)

type End = TaskEnd<string, string>

/** Keeps a row of every attempt: what its handler gave, else what it was given. */
function recording(options: Partial<DeliverOptions<string, string>> = {}) {
  const batches: number[] = []
  const written: End[] = []
  const worker = outbox.deliver<string, string>({
    topics: ['event'],
    handle: async ({ payload }) => payload,
    record: {
      statementOf: (ends) => {
        batches.push(ends.length)
        const what = ends.map((end) => (end.is === 'done' ? end.result : end.task.payload))
        return sql`insert into public.told select * from unnest(${what}::text[], ${ends.map(({ is }) => is)}::text[])`
      },
      written: async (end) => void written.push(end),
    },
    ...options,
  })
  return { worker, batches, written }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A handler whose attempts end when they are told to. */
function gated() {
  const gates = new Map<string, () => void>()
  const handle = ({ payload }: { readonly payload: string }) =>
    new Promise<string>((resolve) => gates.set(payload, () => resolve(payload)))
  const began = (count: number) => waitFor(() => gates.size === count, { what: `${count} attempts to begin` })
  return { handle, began, end: (...names: readonly string[]) => names.forEach((name) => gates.get(name)?.()) }
}

describe('a record of attempts', () => {
  it('is written together with the ends of their tasks, whatever they are', async () => {
    await enqueue('good', 'bad', 'late')
    const { worker, written } = recording({
      isPermanent: ({ message }) => message === 'bad',
      handle: async ({ payload }) => {
        if (payload !== 'good') throw new Error(payload)
        return payload
      },
    })
    worker.start()
    await worker.drain()
    await worker.stop()
    expect(await told()).toEqual(['bad dead', 'good done', 'late failed'])
    expect(written.map(({ is }) => is).sort()).toEqual(['dead', 'done', 'failed'])
    expect(await left()).toBe(2)
    expect(await outbox.dead('event')).toMatchObject([{ payload: 'bad', lastError: 'bad' }])
  })

  it('that cannot be written makes its own attempt a failed one, and no other', async () => {
    await enqueue('good', 'a', 'better')
    const { worker, written } = recording({
      handle: async ({ payload }) => (payload === 'a' ? 'poison' : payload),
      attemptsMax: 1,
    })
    worker.start()
    await worker.drain()
    await worker.stop()
    expect(await told()).toEqual(['a dead', 'better done', 'good done'])
    expect(written).toHaveLength(3)
    expect(await outbox.dead('event')).toMatchObject([{ payload: 'a' }])
  })

  it('leaves a task alone whose lease was lost meanwhile, and tells nobody of it', async () => {
    await enqueue('a')
    const { handle, began, end } = gated()
    const { worker, written } = recording({ handle })
    worker.start()
    await began(1)
    await database.run(sql`update kit.outbox set lease = gen_random_uuid()`)
    end('a')
    await worker.stop()
    expect(await left()).toBe(1)
    expect(written).toEqual([])
  })
})

describe('ends of tasks', () => {
  const isTold = (count: number) => waitFor(async () => (await told()).length === count, { what: `${count} ends` })

  it('gather while others are under way, until the last of them has ended', async () => {
    await enqueue('a', 'b', 'c', 'd')
    const { handle, began, end } = gated()
    const { worker, batches } = recording({ handle, endsGatherMs: 10 })
    worker.start()
    await began(4)
    end('a', 'b')
    await isTold(2)
    end('c')
    await turn()
    expect(batches).toEqual([2])
    end('d')
    await isTold(4)
    expect(batches).toEqual([2, 2])
    await worker.stop()
  })

  it('gather no longer than they may, and not at all where somebody waits for the end of the work', async () => {
    await enqueue('a', 'b', 'c', 'd', 'e')
    const { handle, began, end } = gated()
    const { worker, batches } = recording({ handle, endsGatherMs: 10 })
    worker.start()
    await began(5)
    end('a', 'b')
    await isTold(2)
    end('c')
    await waitFor(async () => clock.advance(10).then(() => batches.length === 2), {
      everyMs: 5,
      what: 'the time to pass',
    })
    await isTold(3)
    const drained = worker.drain()
    end('d', 'e')
    await drained
    expect(await told()).toHaveLength(5)
    await worker.stop()
  })
})
