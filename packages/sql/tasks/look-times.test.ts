import { beforeEach, describe, expect, it } from 'vitest'
import { later } from '../../clock/later.ts'
import { SimulatedClock } from '../../clock/simulated-clock.ts'
import { unavailable } from '../../faults/fault.ts'
import { LookTimes } from './look-times.ts'
import type { ClaimedTask } from './task.ts'

const random = { fraction: () => 0.5 }

let clock: SimulatedClock
let times: LookTimes

beforeEach(() => {
  clock = new SimulatedClock()
  times = new LookTimes({ clock, random })
})

describe('a worker that nobody wakes looks', () => {
  it('every second at first, and while it finds nothing every five seconds in the end', () => {
    expect(rests(5)).toEqual([1_000, 2_000, 4_000, 5_000, 5_000])
  })

  it('soon again after something was found', () => {
    rests(4)
    times.somethingHappened()
    expect(rests(2)).toEqual([1_000, 2_000])
  })

  it('never more often than its owner wants', () => {
    times = new LookTimes({ clock, random }, 20_000)
    expect(rests(3)).toEqual([20_000, 20_000, 20_000])
  })

  it('within a fifth of that time, earlier or later, so that copies do not look in step', () => {
    const restAt = (fraction: number) =>
      new LookTimes({ clock, random: { ...random, fraction: () => fraction } }).restMs()
    expect([restAt(0), restAt(0.999_999)]).toEqual([800, 1_200])
  })
})

describe('a task that is tried again is looked for', () => {
  it('when its wait has passed, however long nothing was found', async () => {
    rests(4)
    times.ended(failedUntil(later(clock.now(), 2)))
    times.ended(failedUntil(later(clock.now(), 3)))
    expect(times.restMs()).toBe(2_000)
    await clock.advance(500)
    expect(times.restMs(), 'after something else has woken the worker').toBe(1_500)
    await clock.advance(1_500)
    times.look()
    expect(times.restMs()).toBe(5_000)
  })

  it('at once when its wait has passed since the last look', async () => {
    times.look()
    times.ended(failedUntil(later(clock.now(), 1)))
    await clock.advance(1_001)
    expect(times.restMs()).toBe(1)
  })
})

describe('stranded tasks', () => {
  it('are looked for every ten seconds', async () => {
    expect(times.isSweepDue()).toBe(false)
    await clock.advance(9_999)
    expect(times.isSweepDue()).toBe(false)
    await clock.advance(1)
    expect([times.isSweepDue(), times.isSweepDue()]).toEqual([true, false])
  })

  it('are looked for also when the clock was set back', async () => {
    clock.jump(-86_400_000)
    await clock.advance(10_000)
    expect(times.isSweepDue()).toBe(true)
  })
})

const rests = (count: number) => Array.from({ length: count }, () => times.restMs())

const failedUntil = (nextAt: Date) => ({ is: 'failed', task, fault: unavailable('away'), nextAt }) as const

const task: ClaimedTask = {
  shard: 0,
  id: '',
  queue: '',
  key: null,
  payload: null,
  attempt: 1,
  lease: '',
  createdAt: new Date(),
}
