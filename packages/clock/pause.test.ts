import { describe, expect, it } from 'vitest'
import { systemClock } from './clock.ts'
import { pause } from './pause.ts'
import { SimulatedClock } from './simulated-clock.ts'

describe('a pause', () => {
  it('takes its time', async () => {
    const clock = new SimulatedClock()
    let isOver = false
    const paused = pause(clock, 1_000, new AbortController().signal).then(() => (isOver = true))
    await clock.advance(999)
    expect(isOver).toBe(false)
    await clock.advance(1)
    await paused
    expect(isOver).toBe(true)
  })

  it.each([
    ['a simulated clock', new SimulatedClock()],
    ['the real one', systemClock],
  ])('ends with the signal, and where that came before, on %s', async (_, clock) => {
    const stopping = new AbortController()
    const paused = pause(clock, 3_600_000, stopping.signal)
    stopping.abort()
    await expect(paused).resolves.toBeUndefined()
    await expect(pause(clock, 3_600_000, stopping.signal)).resolves.toBeUndefined()
  })

  it('hides no fault of the clock', async () => {
    const broken = { sleep: () => Promise.reject(new Error('no timers are left')) }
    await expect(pause(broken, 1, new AbortController().signal)).rejects.toThrow('no timers are left')
  })
})
