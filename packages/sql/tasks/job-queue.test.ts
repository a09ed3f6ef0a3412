import { beforeEach, describe, expect, it } from 'vitest'
import { seededRandom } from '../../clock/ids.ts'
import { SimulatedClock } from '../../clock/simulated-clock.ts'
import { silentLog } from '../../log/log.ts'
import { startChild } from '../../testkit/child.ts'
import { waitFor } from '../../testkit/wait-for.ts'
import { forget, givenUp, queueStates, tryAgain } from './given-up.ts'
import { JobQueue } from './job-queue.ts'
import { sql } from '../sql.ts'
import { postponed, untried } from './task-attempt.ts'
import { TaskTable } from './task-table.ts'
import { shardOf } from './task.ts'
import { jobsWorld } from '../testing/jobs-world.ts'

const holdAJob = new URL('../fixtures/hold-a-job.ts', import.meta.url)

const world = jobsWorld()
let jobs: JobQueue
beforeEach(() => {
  jobs = new JobQueue({ ...world, random: seededRandom(1), log: silentLog })
})

const add = (...payloads: readonly number[]) =>
  world.database.transaction((tx) => jobs.add(tx, ...payloads.map((payload) => ({ queue: 'work', payload }))))
const claimOptions = { queues: ['work'], limit: 10, leaseMs: 60_000 }
const claim = () => jobs.claim<number>(claimOptions)
const left = async () =>
  (await world.database.one<{ count: string }>(sql`select count(*) as count from kit.jobs`)).count

/** They go by the database's clock, which nobody here can move. */
const endLeases = () =>
  world.database.run(sql`update kit.jobs set next_at = statement_timestamp() where lease is not null`)

async function claimOne() {
  const [job] = await claim()
  if (job === undefined) throw new Error('no job could be claimed')
  return job
}

describe('a job', () => {
  it('is claimed by one only, and gone when it is completed', async () => {
    const [id] = await add(7)
    const job = await claimOne()
    expect(job).toMatchObject({ id, queue: 'work', payload: 7, attempt: 1, createdAt: world.clock.now() })
    expect(await claim()).toEqual([])
    expect(await jobs.complete(job)).toBe(true)
    expect(await left()).toBe('0')
  })

  it('is not there when the transaction that added it was rolled back', async () => {
    const refused = world.database.transaction(async (tx) => {
      await jobs.add(tx, { queue: 'work', payload: 1 })
      throw new Error('no')
    })
    await expect(refused).rejects.toThrow('no')
    expect(await claim()).toEqual([])
  })

  it('comes back when the copy that held it died, and the lease fences out what is left of that copy', async () => {
    await add(7)
    const dead = await claimOne()
    await endLeases()
    const job = await claimOne()
    expect([job.id, job.attempt]).toEqual([dead.id, 2])
    expect(await jobs.complete(dead)).toBe(false)
    expect(await jobs.fail(dead, new Error('late'))).toBe(false)
    expect(await jobs.renew(dead, 60_000)).toBe(false)
    expect(await left()).toBe('1')
    expect(await jobs.complete(job)).toBe(true)
  })

  it('stays with a copy that renews its lease', async () => {
    await add(7)
    const job = await claimOne()
    await endLeases()
    expect(await jobs.renew(job, 60_000)).toBe(true)
    expect(await claim()).toEqual([])
  })

  it('stays with a copy of which the clock is far behind ours', async () => {
    const clock = new SimulatedClock(world.clock.now().toISOString())
    const elsewhere = new JobQueue({ ...world, clock, log: silentLog })
    await add(7)
    await world.clock.advance(3_600_000)
    expect(await elsewhere.claim(claimOptions)).toMatchObject([{ payload: 7 }])
    expect(await claim()).toEqual([])
  })

  it('waits longer after each failure, and is dead but kept after the last attempt', async () => {
    await add(7)
    const policy = { attemptsMax: 3, backoff: { baseMs: 1_000, maxMs: 60_000, multiplier: 10, jitter: 0 } }
    for (const waitMs of [1_000, 10_000]) {
      await jobs.fail(await claimOne(), new Error('down'), policy)
      await world.clock.advance(waitMs - 1)
      expect(await claim()).toEqual([])
      await world.clock.advance(1)
    }
    await jobs.fail(await claimOne(), new Error('still down'), policy)
    await world.clock.advance(86_400_000)
    expect(await claim()).toEqual([])
    const [dead] = await jobs.dead('work')
    expect(dead).toMatchObject({ payload: 7, attempts: 3, lastError: 'still down' })
    expect(await jobs.revive('work', dead?.id ?? '')).toBe(true)
    expect(await claimOne()).toMatchObject({ attempt: 1, createdAt: world.clock.now() })
  })

  it('is done with its effect or not at all', async () => {
    await add(7)
    const lost = await claimOne()
    await endLeases()
    await claimOne()
    const effect = world.database.transaction(async (tx) => {
      await tx.run(
        sql`insert into kit.outbox values (0, gen_random_uuid(), 'effect', null, 1, false, '{}', 0, now(), null, now())`,
      )
      if (!(await jobs.complete(lost, tx))) throw new Error('lease lost')
    })
    await expect(effect).rejects.toThrow('lease lost')
    expect(await world.database.many(sql`select 1 from kit.outbox`)).toEqual([])
  })

  it('can be claimed by shard and by queue', async () => {
    const key = 'patient/1'
    await world.database.transaction((tx) => jobs.add(tx, { queue: 'work', key, payload: 1 }))
    const others = Array.from({ length: 64 }, (_, shard) => shard).filter((shard) => shard !== shardOf(key))
    expect(await jobs.claim({ ...claimOptions, shards: others })).toEqual([])
    expect(await jobs.claim({ ...claimOptions, queues: ['other'] })).toEqual([])
    expect(await jobs.claim({ ...claimOptions, shards: [shardOf(key)] })).toHaveLength(1)
  })

  it('is the first of its key once it was begun, also before one with the same position that came late', async () => {
    const addKeyed = (payload: string) =>
      world.database.transaction((tx) => jobs.add(tx, { queue: 'work', key: 'k', payload }))
    await addKeyed('begun')
    const begun = await claimOne()
    await addKeyed('late')
    // As two transactions leave them that did not see each other: no order between them, and neither one waits.
    await world.database.run(sql`update kit.jobs set position = 1, waits = false where payload::text = '"late"'`)
    expect(await claim()).toEqual([])
    await jobs.complete(begun)
    expect(await claimOne()).toMatchObject({ payload: 'late' })
  })

  it('goes to the end of its key when it is revived', async () => {
    const keyed = (payload: string) => ({ queue: 'work', key: 'k', payload })
    await world.database.transaction((tx) => jobs.add(tx, keyed('first'), keyed('second')))
    const first = await claimOne()
    await jobs.fail(first, new Error('no'), { attemptsMax: 1 })
    const second = await claimOne()
    expect(await jobs.revive('work', first.id)).toBe(true)
    expect(await claim()).toEqual([])
    await jobs.complete(second)
    expect(await claimOne()).toMatchObject({ payload: 'first', attempt: 1 })
  })

  it('goes there in one statement with others, those of a key in their order and only the first not waiting', async () => {
    const keyed = (payload: string) => ({ queue: 'work', key: 'k', payload })
    const alone = { queue: 'work', payload: 'alone' }
    await world.database.transaction((tx) =>
      jobs.add(tx, keyed('first'), keyed('second'), keyed('third'), alone, alone),
    )
    const ids: string[] = []
    for (;;) {
      const claimed = await claim()
      if (claimed.length === 0) break
      for (const job of claimed) await jobs.fail(job, new Error('no'), { attemptsMax: 1 })
      ids.push(...claimed.map(({ id }) => id))
      await world.clock.advance(1)
    }
    expect(await new TaskTable('jobs', world).revive(world.database, 'work', ids)).toBe(5)
    const told: unknown[] = []
    for (let round = 0; round < 3; round++) {
      const claimed = await claim()
      told.push(claimed.map(({ payload }) => String(payload)).toSorted((a, b) => a.localeCompare(b)))
      for (const job of claimed) await jobs.complete(job)
    }
    expect(told).toEqual([['alone', 'alone', 'first'], ['second'], ['third']])
  })

  it('that waits for nobody is found by a worker after some polls', async () => {
    await world.database.transaction((tx) => jobs.add(tx, { queue: 'work', key: 'k', payload: 7 }))
    await world.database.run(sql`update kit.jobs set waits = true`)
    const done: unknown[] = []
    const worker = jobs.worker({ queues: ['work'], handle: async ({ payload }) => void done.push(payload) })
    worker.start()
    const advanced = async () => world.clock.advance(1_200).then(() => done.length > 0)
    await waitFor(advanced, { everyMs: 5, what: 'the stranded job to be done' })
    expect(done).toEqual([7])
    await worker.stop()
  })

  it('is not due before its time', async () => {
    const notBefore = new Date(world.clock.now().getTime() + 1_000)
    await world.database.transaction((tx) => jobs.add(tx, { queue: 'work', payload: 1, notBefore }))
    expect(await claim()).toEqual([])
    await world.clock.advance(1_000)
    expect(await claim()).toHaveLength(1)
  })
})

describe('workers', () => {
  it('drain two thousand jobs together, each exactly once', async () => {
    const payloads = Array.from({ length: 2_000 }, (_, index) => index)
    await add(...payloads)
    const done: number[] = []
    const workers = [1, 2, 3, 4].map(() =>
      jobs.worker<number>({
        queues: ['work'],
        concurrency: 50,
        handle: async ({ payload }) => void done.push(payload),
      }),
    )
    for (const worker of workers) worker.start()
    await Promise.all(workers.map((worker) => worker.drain()))
    await Promise.all(workers.map((worker) => worker.stop()))
    expect(done.sort((a, b) => a - b)).toEqual(payloads)
    expect(await left()).toBe('0')
  })

  it('get the job of a copy that was killed, once its lease has passed', async () => {
    // Two processes share no simulated world.clock.
    const real = new JobQueue({ database: world.database, log: silentLog })
    const [id] = await world.database.transaction((tx) => real.add(tx, { queue: 'work', payload: 7 }))
    await using copy = await startChild({ script: holdAJob, args: [world.url, '300'] })
    expect(await copy.waitForLine(/^holding/)).toBe(`holding ${id}`)
    await copy.kill('SIGKILL')
    const done = Promise.withResolvers<unknown>()
    const worker = real.worker({ queues: ['work'], pollMs: 20, handle: async (job) => done.resolve(job) })
    worker.start()
    expect(await done.promise).toMatchObject({ id, payload: 7, attempt: 2 })
    await worker.stop()
    expect(await left()).toBe('0')
  })

  it('get the job of a process that is gone at once when they start in its place, its attempt counted', async () => {
    const real = new JobQueue({ database: world.database, log: silentLog })
    const [id] = await world.database.transaction((tx) => real.add(tx, { queue: 'work', payload: 7 }))
    await using copy = await startChild({ script: holdAJob, args: [world.url, '3600000'] })
    await copy.waitForLine(/^holding/)
    const done: unknown[] = []
    const options = { queues: ['work'], handle: async (job: unknown) => void done.push(job) }
    const early = real.worker(options)
    early.start()
    await early.drain()
    expect(done).toEqual([])
    await early.stop()
    await copy.kill('SIGKILL')
    const after = real.worker(options)
    after.start()
    await after.drain()
    await after.stop()
    expect(done).toMatchObject([{ id, payload: 7, attempt: 2 }])
  })

  it('take work that hangs for failed before its lease ends, and do not wait for it', async () => {
    const began = Promise.withResolvers<void>()
    const worker = jobs.worker({
      queues: ['work'],
      leaseMs: 60_000,
      attemptsMax: 1,
      handle: () => {
        began.resolve()
        return new Promise(() => {})
      },
    })
    worker.start()
    await add(7)
    await began.promise
    await world.clock.advance(54_000)
    await worker.drain()
    expect(await jobs.dead('work')).toMatchObject([{ lastError: 'The work took longer than its lease.' }])
    await worker.stop()
  })

  it('give back what they hold when they are stopped, without counting the attempt', async () => {
    const began = Promise.withResolvers<void>()
    const worker = jobs.worker({
      queues: ['work'],
      handle: (_, signal) => {
        began.resolve()
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    })
    worker.start()
    await add(7)
    await began.promise
    const stopped = worker.stop(5_000)
    await world.clock.advance(5_000)
    await stopped
    expect(await claimOne()).toMatchObject({ payload: 7, attempt: 1 })
  })

  it('take what a handler has not begun for no attempt, and try it again at once', async () => {
    const attempts: number[] = []
    const worker = jobs.worker({
      queues: ['work'],
      attemptsMax: 1,
      handle: async ({ attempt }) => {
        attempts.push(attempt)
        if (attempts.length < 3) throw untried('Its turn came too late.')
      },
    })
    worker.start()
    await add(7)
    await worker.drain()
    expect(attempts).toEqual([1, 1, 1])
    expect(await left()).toBe('0')
    await worker.stop()
  })

  it('take what can begin only later for no attempt, and try it again after a while', async () => {
    const attempts: number[] = []
    const worker = jobs.worker({
      queues: ['work'],
      attemptsMax: 1,
      handle: async ({ attempt }) => {
        attempts.push(attempt)
        if (attempts.length < 3) throw postponed('What it needs is away.')
      },
    })
    worker.start()
    await add(7)
    for (const tried of [1, 2, 3]) {
      await worker.drain()
      expect(attempts).toEqual(Array.from({ length: tried }, () => 1))
      await world.clock.leap(2_000)
    }
    expect(await left()).toBe('0')
    await worker.stop()
  })
})

describe('what was given up', () => {
  const told: number[] = []
  const deps = () => ({ ...world, audit: async (count: number) => void told.push(count) })
  /** Dead one after the other, under ids that say nothing of their order. */
  const bury = (queue: string, count: number) =>
    world.database.run(sql`
      insert into kit.jobs
        (shard, id, queue, key, position, waits, payload, attempts, next_at, created_at, dead_at, last_error)
      select ${shardOf('k')}, gen_random_uuid(), ${queue}, 'k', 1, false, to_json(n), 3, now(), now(),
        now() + n * interval '1 second', 'refused'
      from generate_series(1, ${count}::integer) as n`)

  it('is tried again by the thousand, in the order in which it died, and each thousand is audited', async () => {
    await bury('work', 1_001)
    await bury('other', 1)
    expect(await tryAgain('work', [], deps())).toBe(1_001)
    expect(told.splice(0)).toEqual([1_000, 1])
    const line = await world.database.many<{ n: number; waits: boolean }>(
      sql`select payload as n, waits from kit.jobs where queue = 'work' order by position`,
    )
    expect(line).toEqual(Array.from({ length: 1_001 }, (_, index) => ({ n: index + 1, waits: index > 0 })))
    expect(await queueStates(world.database)).toEqual([
      { queue: 'other', waiting: 0, oldest: null, dead: 1 },
      { queue: 'work', waiting: 1_001, oldest: null, dead: 0 },
    ])
    expect(await tryAgain('work', [], deps())).toBe(0)
    expect(told).toEqual([])
  })

  it('is tried again or forgotten by its id, of its own queue only, and nothing is audited where nothing was done', async () => {
    await bury('work', 2)
    const dead = await givenUp('work', 9, world.database)
    const reason = { attempts: 3, lastError: 'refused' }
    expect(dead).toMatchObject([reason, reason])
    const [one = '', other = ''] = dead.map(({ id }) => id)
    expect([await tryAgain('other', [one], deps()), await forget('other', [one], deps())]).toEqual([0, 0])
    expect(told).toEqual([])
    expect(await tryAgain('work', [one], deps())).toBe(1)
    expect(await forget('work', [one, other], deps())).toBe(1)
    expect(told.splice(0)).toEqual([1, 1])
    expect(await left()).toBe('1')
    expect(await givenUp('work', 9, world.database)).toEqual([])
  })
})
