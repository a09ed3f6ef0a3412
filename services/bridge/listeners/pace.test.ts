import { expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { Pace } from './pace.ts'

it('lets messages pass at their pace, and whoever waits at its end does not pass and leaves no timer', async () => {
  const clock = new SimulatedClock()
  const pace = new Pace(6, clock)
  const passed: string[] = []
  const pass = async (name: string) => passed.push(`${name}${(await pace.turn()) ? '' : ' does not'}`)
  const turns = ['a', 'b', 'c', 'd'].map(pass)
  await clock.advance(10_000)
  expect(passed).toEqual(['a', 'b'])
  pace.end()
  await Promise.all(turns)
  expect(passed.slice(2)).toEqual(['c does not', 'd does not'])
  expect(clock.waiting).toBe(0)
  await clock.advance(60_000)
  expect(await pace.turn()).toBe(false)
})

it('lets all pass at once where there is no limit, until its end', async () => {
  const pace = new Pace(undefined, new SimulatedClock())
  expect(await Promise.all([pace.turn(), pace.turn()])).toEqual([true, true])
  pace.end()
  expect(await pace.turn()).toBe(false)
})

it('lets nobody pass whose turn had come while the process was busy', async () => {
  const pace = new Pace(6_000, systemClock)
  const passed: string[] = []
  const pass = (name: string) => pace.turn().then(() => passed.push(name))
  const early = ['a', 'b', 'c'].map(pass)
  // Longer than the waits of b and c: their timers are due, and have not been looked at.
  const busyUntil = systemClock.monotonicMs() + 50
  while (systemClock.monotonicMs() < busyUntil);
  await Promise.all([...early, pass('d')])
  expect(passed).toEqual(['a', 'b', 'c', 'd'])
})
