import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { SimulatedClock } from '../../clock/simulated-clock.ts'
import { incorrect } from '../../faults/fault.ts'
import { silentLog } from '../../log/log.ts'
import { Metrics } from '../../metrics/metrics.ts'
import { kitDatabase, type KitDatabase } from '../testing/kit-database.ts'
import { JobQueue } from './job-queue.ts'
import { lookEveryMs, measureQueues } from './measure-queues.ts'
import { Outbox } from './outbox.ts'

let server: KitDatabase
beforeAll(async () => {
  server = await kitDatabase()
})
afterAll(() => server.drop())

it('tells how many wait in the queues of a service, how long the oldest has, and what was given up', async () => {
  const { database } = server
  const clock = new SimulatedClock()
  const metrics = new Metrics()
  const kit = { database, clock, metrics, log: silentLog }
  const outbox = new Outbox(kit)
  const jobs = new JobQueue(kit)
  const told = async () =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith('corridor_background_') && !line.endsWith(' 0'))

  const measuring = measureQueues({ topics: ['notices', 'projection'], jobs: ['reminders'] }, kit)
  onTestFinished(() => measuring.end())
  await expect.poll(() => metrics.text()).toContain('corridor_background_dead{queue="reminders"} 0')
  expect(await told()).toEqual([])

  const never = async () => Promise.reject(incorrect('not like this'))
  await database.transaction(async (tx) => {
    await outbox.enqueue(tx, { topic: 'notices', payload: 1 }, { topic: 'projection', payload: 2 })
    await outbox.enqueue(tx, { topic: 'of somebody else', payload: 3 })
    await jobs.add(tx, { queue: 'reminders', payload: 4 })
  })
  for (const worker of [
    outbox.deliver({ topics: ['projection'], handle: never, attemptsMax: 1 }),
    jobs.worker({ queues: ['reminders'], handle: never, attemptsMax: 1 }),
  ]) {
    worker.start()
    await worker.drain()
    await worker.stop(0)
  }
  await clock.advance(lookEveryMs)
  await expect
    .poll(told)
    .toEqual([
      'corridor_background_waiting{queue="notices"} 1',
      'corridor_background_oldest_seconds{queue="notices"} 30',
      'corridor_background_dead{queue="projection"} 1',
      'corridor_background_dead{queue="reminders"} 1',
    ])
})
