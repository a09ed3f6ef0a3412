import { describe, expect, it } from 'vitest'
import { unavailable } from '../faults/fault.ts'
import { capturedLog } from '../testkit/captured-log.ts'
import { every } from './every.ts'
import { SimulatedClock } from './simulated-clock.ts'

describe('what is done every minute', () => {
  it('is done after each minute and not before, and no more after its end', async () => {
    const clock = new SimulatedClock()
    const { log } = capturedLog(clock)
    let times = 0
    const recurring = every(60_000, { work: async () => times++, failed: 'not counted' }, { clock, log })
    await clock.advance(59_999)
    expect(times).toBe(0)
    await clock.advance(120_001)
    expect(times).toBe(3)
    await recurring.end()
    await clock.advance(600_000)
    expect([times, clock.waiting]).toEqual([3, 0])
  })

  it('is done before the first minute where it is wanted at once', async () => {
    const clock = new SimulatedClock()
    const { log } = capturedLog(clock)
    let times = 0
    const recurring = every(60_000, { work: async () => times++, failed: 'not counted', atOnce: true }, { clock, log })
    await clock.advance(0)
    expect(times).toBe(1)
    await clock.advance(120_000)
    expect(times).toBe(3)
    await recurring.end()
  })

  it('is done again although it failed, and the log says why', async () => {
    const clock = new SimulatedClock()
    const captured = capturedLog(clock)
    const failures = [unavailable('Away.', { logged: 'no connection' }), new TypeError('is not a function')]
    let times = 0
    const work = async () => {
      times++
      const failure = failures.shift()
      if (failure !== undefined) throw failure
    }
    const recurring = every(60_000, { work, failed: 'not done' }, { clock, log: captured.log })
    await clock.advance(180_000)
    expect(times).toBe(3)
    expect(captured.events('not done')).toMatchObject([
      { level: 'warn', faultKind: 'unavailable', error: 'no connection' },
      { level: 'warn', faultKind: 'bug', error: 'is not a function' },
    ])
    await recurring.end()
  })

  it('may take long: its end tells it, and waits for it', async () => {
    const clock = new SimulatedClock()
    const { log } = capturedLog(clock)
    const steps: string[] = []
    const work = async (signal: AbortSignal) => {
      steps.push('began')
      await clock.sleep(600_000, signal).catch(() => steps.push('was told'))
      steps.push('ended')
    }
    const recurring = every(60_000, { work, failed: 'not done' }, { clock, log })
    await clock.advance(300_000)
    expect(steps).toEqual(['began'])
    await recurring.end()
    expect(steps).toEqual(['began', 'was told', 'ended'])
  })
})
