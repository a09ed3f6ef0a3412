import { expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { flowWorld, parked, sample } from '../testing/flow-world.ts'
import { MemoryDurableStore } from '../testing/memory-durable-store.ts'

it('looks about once a second whether it may go on while the circuit is open, however long ago something was due', async () => {
  const clock = new SimulatedClock()
  let looks = 0
  const allowance = () => {
    looks++
    return 0
  }
  await using world = await flowWorld({
    ...{ clock, runStages: async () => parked(), channels: { adt: { retry: { ...retry, baseMs: 100 } } } },
    deps: { allowance, durable: new MemoryDurableStore(clock) },
  })
  expect(await world.code(sample({ controlId: 'A' }))).toMatch(/^AA Queued/)
  await clock.advance(1_000)
  looks = 0
  await clock.advance(60_000)
  expect(looks).toBeGreaterThan(40)
  expect(looks).toBeLessThan(100)
})

const retry = { maxAttempts: 10, maxMs: 2_000, multiplier: 2 }
