import { expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { MemoryDurableStore } from '../testing/memory-durable-store.ts'
import { firstAnswer } from './first-answer.ts'
import { UnderWay } from './under-way.ts'

it('a duplicate waits no longer than it may, also when its time is over while the log is read', async () => {
  const clock = new SimulatedClock()
  const underWay = new UnderWay(10)
  // It is run again, was never taken, and does not end.
  underWay.begin('first', undefined, new Promise<never>(() => {}))
  const durable = Object.assign(new MemoryDurableStore(clock), {
    endOf: async () => {
      await clock.sleep(6_000)
      return undefined
    },
  })
  const answer = firstAnswer('first', 5_000, { durable, clock, underWay })
  await clock.advance(6_000)
  expect(await answer).toMatchObject({ code: 'AE' })
})
