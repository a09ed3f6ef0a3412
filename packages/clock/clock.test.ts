import { describe, expect, it } from 'vitest'
import { defaultBackoff, waitAfterAttemptMs } from './backoff.ts'
import { systemClock } from './clock.ts'
import { seededIds, seededRandom, systemIds, systemRandom } from './ids.ts'
import { SimulatedClock } from './simulated-clock.ts'

describe('the simulated clock', () => {
  it('fires sleepers in the order of their time, with the time they asked for', async () => {
    const clock = new SimulatedClock('2026-01-01T00:00:00Z')
    const woken: string[] = []
    const sleeper = async (name: string, ms: number) => {
      await clock.sleep(ms)
      woken.push(`${name} ${clock.now().toISOString()}`)
    }
    const all = [sleeper('late', 3_600_000), sleeper('early', 1_000), sleeper('also early', 1_000)]
    await clock.advance(86_400_000)
    await Promise.all(all)
    expect(woken).toEqual([
      'early 2026-01-01T00:00:01.000Z',
      'also early 2026-01-01T00:00:01.000Z',
      'late 2026-01-01T01:00:00.000Z',
    ])
    expect(clock.now().toISOString()).toBe('2026-01-02T00:00:00.000Z')
  })

  it('runs a loop that sleeps again and again within one advance', async () => {
    const clock = new SimulatedClock()
    let rounds = 0
    const loop = (async () => {
      while (rounds < 10) {
        await clock.sleep(1_000)
        rounds++
      }
    })()
    await clock.advance(10_000)
    await loop
    expect(rounds).toBe(10)
  })

  it('fires a loop once in a leap, at its end, and whatever else fell due in the order of its time', async () => {
    const clock = new SimulatedClock('2026-01-01T00:00:00Z')
    const woken: string[] = []
    const stopping = new AbortController()
    const wake = (name: string) => woken.push(`${name} ${clock.now().toISOString()}`)
    const loop = (async () => {
      for (;;) {
        await clock.sleep(1_000, stopping.signal)
        wake('loop')
      }
    })()
    const late = clock.sleep(3_600_000).then(() => wake('late'))
    const early = clock.sleep(500).then(() => wake('early'))
    void clock.sleep(3_600_001).then(() => wake('not yet'))
    await clock.leap(3_600_000)
    await Promise.all([early, late])
    const end = '2026-01-01T01:00:00.000Z'
    expect(woken).toEqual([`early ${end}`, `loop ${end}`, `late ${end}`])
    expect(clock.monotonicMs()).toBe(3_600_000)
    await clock.leap(1_000)
    expect(woken.slice(3)).toEqual(['not yet 2026-01-01T01:00:01.000Z', 'loop 2026-01-01T01:00:01.000Z'])
    stopping.abort(new Error('stopped'))
    await expect(loop).rejects.toThrow('stopped')
  })

  it('leaps from where a sleeper is who has just been started', async () => {
    const clock = new SimulatedClock()
    const sleeper = Promise.resolve().then(() => clock.sleep(1_000))
    await clock.leap(1_000)
    await sleeper
    expect(clock.waiting).toBe(0)
  })

  it('keeps durations right when the wall clock jumps', async () => {
    const clock = new SimulatedClock('2026-01-01T00:00:00Z')
    clock.jump(-3_600_000)
    await clock.advance(500)
    expect(clock.monotonicMs()).toBe(500)
    expect(clock.now().toISOString()).toBe('2025-12-31T23:00:00.500Z')
  })

  it('ends a sleep with the reason of its signal and leaves no timer behind', async () => {
    const clock = new SimulatedClock()
    const controller = new AbortController()
    const sleep = clock.sleep(1_000, controller.signal)
    controller.abort(new Error('stopped'))
    await expect(sleep).rejects.toThrow('stopped')
    expect(clock.waiting).toBe(0)
  })

  it('aborts a deadline on time, and never after it was disposed', async () => {
    const clock = new SimulatedClock()
    const kept = clock.deadline(100)
    const disposed = clock.deadline(100)
    disposed[Symbol.dispose]()
    await clock.advance(100)
    expect([kept.signal.aborted, disposed.signal.aborted]).toEqual([true, false])
  })
})

describe('the system clock', () => {
  it('ends a sleep with the reason of its signal, also where that came before', async () => {
    const controller = new AbortController()
    const sleep = systemClock.sleep(600_000, controller.signal)
    controller.abort(new Error('stopped'))
    await expect(sleep).rejects.toThrow('stopped')
    await expect(systemClock.sleep(600_000, controller.signal)).rejects.toThrow('stopped')
  })

  it('aborts a deadline', async () => {
    using deadline = systemClock.deadline(1)
    await new Promise((resolve) => deadline.signal.addEventListener('abort', resolve, { once: true }))
    expect(deadline.signal.reason).toMatchObject({ name: 'TimeoutError' })
  })
})

describe('ids and chance', () => {
  it('are the same for the same seed', () => {
    const make = () => {
      const ids = seededIds(seededRandom(7), new SimulatedClock())
      return [ids.uuid(), ids.timeUuid(), ids.secret()]
    }
    expect(make()).toEqual(make())
  })

  it('make UUIDs of the right version, sorted by time for version 7', () => {
    expect(systemIds.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const clock = new SimulatedClock()
    const ids = seededIds(seededRandom(1), clock)
    const first = ids.timeUuid()
    clock.jump(1)
    expect(first < ids.timeUuid()).toBe(true)
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('make secrets of 256 bits', () => {
    expect(Buffer.from(systemIds.secret(), 'base64url')).toHaveLength(32)
    expect(systemIds.secret()).not.toBe(systemIds.secret())
  })

  it('stay within the asked range', () => {
    const random = seededRandom(3)
    for (let n = 0; n < 1_000; n++) {
      expect(random.below(7)).toBeLessThan(7)
      expect(systemRandom.fraction()).toBeLessThan(1)
    }
  })
})

describe('backoff', () => {
  it('doubles up to its ceiling, each wait within its jitter', () => {
    const random = seededRandom(5)
    const expected = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300].map((seconds) => seconds * 1_000)
    expected.forEach((plain, index) => {
      const wait = waitAfterAttemptMs(index + 1, defaultBackoff, random)
      expect(wait).toBeGreaterThanOrEqual(plain * 0.8)
      expect(wait).toBeLessThanOrEqual(plain * 1.2)
    })
  })
})
