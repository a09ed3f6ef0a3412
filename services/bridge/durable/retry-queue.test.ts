import { expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { flowWorld, parked, sample, succeeded } from '../testing/flow-world.ts'
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

it('tries no more at once than it may, however often it looks', async () => {
  let [allowed, atOnce, most, ended] = [0, 0, 0, 0]
  const clock = new SimulatedClock()
  const gates: (() => void)[] = []
  await using world = await flowWorld({
    ...{ clock, deps: { allowance: () => allowed, durable: new MemoryDurableStore(clock) } },
    runStages: async ({ attempt }) => {
      if (attempt === 1) return parked()
      most = Math.max(most, ++atOnce)
      await new Promise<void>((resolve) => gates.push(resolve))
      atOnce--
      ended++
      return succeeded()
    },
  })
  for (let patient = 0; patient < 12; patient++)
    await world.code(sample({ controlId: `P${patient}`, patient: `${patient}` }))
  allowed = 3
  for (let looks = 0; looks < 10; looks++) {
    await clock.advance(2_000)
    expect(gates.length).toBeLessThanOrEqual(3)
    for (const open of gates.splice(0)) open()
  }
  expect([ended, most]).toEqual([12, 3])
})

const retry = { maxAttempts: 10, maxMs: 2_000, multiplier: 2 }
