import { describe, expect, it } from 'vitest'
import { systemIds } from '../../clock/ids.ts'
import { silentLog } from '../../log/log.ts'
import { waitFor } from '../../testkit/wait-for.ts'
import { sql } from '../sql.ts'
import { jobsWorld } from '../testing/jobs-world.ts'
import { SlicedJobs } from './sliced-jobs.ts'

interface Count {
  readonly of: string
  readonly done: number
}

const world = jobsWorld()

const counting = (step: (count: Count) => Promise<Count | undefined>, sliceMs?: number) =>
  new SlicedJobs<Count>(
    { queue: 'count', keyOf: ({ of }) => of, step, ...(sliceMs === undefined ? {} : { sliceMs }) },
    { ...world, ids: systemIds, log: silentLog },
  )
const begin = (jobs: SlicedJobs<Count>) => world.database.transaction((tx) => jobs.add({ of: 'sheep', done: 0 }, tx))
const open = () =>
  world.database.many<{ payload: Count; attempts: number }>(sql`select payload, attempts from kit.jobs`)
const over = () => waitFor(async () => (await open()).length === 0, { what: 'the end of the work' })

describe('long work', () => {
  it('goes on slice by slice, each step once and in order, and costs no attempts', async () => {
    const done: number[] = []
    const attempts = new Set<number>()
    const jobs = counting(async (count) => {
      for (const job of await open()) attempts.add(job.attempts)
      done.push(count.done)
      // Each step takes longer than a slice.
      await world.clock.advance(1_000)
      return count.done === 14 ? undefined : { ...count, done: count.done + 1 }
    }, 500)
    await begin(jobs)
    await over()
    expect(done).toEqual(Array.from({ length: 15 }, (_, index) => index))
    expect([...attempts]).toEqual([1])
    await jobs.close()
  })

  it('is begun by another copy where the last one has stopped, and is one job all the time', async () => {
    const first = counting(async (count) => {
      if (count.done === 3) return new Promise<never>(() => {})
      return { ...count, done: count.done + 1 }
    })
    await begin(first)
    await waitFor(async () => (await open())[0]?.payload.done === 3, { what: 'three steps' })
    const closed = first.close(1_000)
    await world.clock.advance(1_000)
    await closed
    expect(await open()).toEqual([{ payload: { of: 'sheep', done: 3 }, attempts: 0 }])
    const done: number[] = []
    const second = counting(async (count) => {
      done.push(count.done)
      return count.done === 4 ? undefined : { ...count, done: count.done + 1 }
    })
    await over()
    expect(done).toEqual([3, 4])
    await second.close()
  })

  it('stops in a copy that has lost it to another one', async () => {
    const steps: number[] = []
    const jobs = counting(async (count) => {
      steps.push(count.done)
      // Somebody took this copy for dead.
      if (count.done === 1) {
        await world.database.run(sql`update kit.jobs set lease = gen_random_uuid(), next_at = 'infinity'`)
      }
      return { ...count, done: count.done + 1 }
    })
    await begin(jobs)
    await waitFor(() => steps.length === 2, { what: 'two steps' })
    await jobs.close()
    expect(steps).toEqual([0, 1])
    expect(await open()).toMatchObject([{ payload: { done: 1 } }])
  })

  it('that fails now and then is never dead while it goes on', async () => {
    let failures = 0
    const jobs = counting(async (count) => {
      if (failures < (count.done + 1) * 8) {
        failures++
        throw new Error('not now')
      }
      return count.done === 2 ? undefined : { ...count, done: count.done + 1 }
    })
    await begin(jobs)
    const isUnderWay = async () =>
      (await world.database.many(sql`select from kit.jobs where lease is not null`)).length > 0
    await waitFor(
      async () => {
        // An attempt during which ten minutes pass has taken too long, and two of those are more than it is allowed.
        if (!(await isUnderWay())) await world.clock.leap(600_000)
        return (await open()).length === 0
      },
      { everyMs: 5, what: 'the end of the work' },
    )
    expect(failures).toBe(24)
    await jobs.close()
  })
})
