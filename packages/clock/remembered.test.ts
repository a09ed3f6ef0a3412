import { describe, expect, it } from 'vitest'
import { remembered } from './remembered.ts'
import { SimulatedClock } from './simulated-clock.ts'

describe('what is remembered', () => {
  it('is loaded once for all who ask within the time, and anew after it', async () => {
    const clock = new SimulatedClock()
    let loads = 0
    const load = remembered(1_000, async () => ++loads, clock)
    expect(await Promise.all([load(), load()])).toEqual([1, 1])
    await clock.advance(1_000)
    expect(await load()).toBe(2)
  })

  it('is no failure', async () => {
    const answers = [Promise.reject(new Error('away')), Promise.resolve('back')]
    const load = remembered(1_000, () => answers.shift() ?? Promise.resolve('late'), new SimulatedClock())
    await expect(load()).rejects.toThrow('away')
    expect(await load()).toBe('back')
  })
})
