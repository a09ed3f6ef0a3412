import { expect, it, onTestFinished } from 'vitest'
import { SimulatedClock } from '../../clock/simulated-clock.ts'
import { silentLog } from '../../log/log.ts'
import { Outbox } from './outbox.ts'
import { kitDatabase } from '../testing/kit-database.ts'

it('a message that a copy gave back when it stopped is still before those that came meanwhile', async () => {
  const server = await kitDatabase()
  onTestFinished(() => server.drop())
  const { database } = server
  const clock = new SimulatedClock()
  const outbox = new Outbox({ database, clock, log: silentLog })
  const enqueue = async (payload: string) => {
    await database.transaction((tx) => outbox.enqueue(tx, { topic: 'event', payload }))
    await clock.advance(1_000)
  }

  const held = Promise.withResolvers<void>()
  const stopped = outbox.deliver<string>({
    topics: ['event'],
    concurrency: 1,
    handle: (_task, signal) => {
      held.resolve()
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  })
  await enqueue('first')
  stopped.start()
  await held.promise
  await enqueue('second')
  const stopping = stopped.stop(5_000)
  await clock.advance(5_000)
  await stopping

  const seen: [string, number][] = []
  const next = outbox.deliver<string>({
    topics: ['event'],
    concurrency: 1,
    handle: async ({ payload, attempt }) => void seen.push([payload, attempt]),
  })
  next.start()
  await next.drain()
  await next.stop()
  expect(seen).toEqual([
    ['first', 1],
    ['second', 1],
  ])
})
