import { describe, expect, it } from 'vitest'
import { systemClock } from '../../clock/clock.ts'
import { seededIds, seededRandom, systemIds } from '../../clock/ids.ts'
import { thisProcess } from './this-process.ts'
import { isAbandoned, newLease } from './lease.ts'

const own = thisProcess()
const gone = 999_999_999

describe('a lease', () => {
  it('is a UUID, and another one each time', () => {
    // By chance two of a hundred would be alike once in three thousand runs, which harms nobody.
    const ids = seededIds(seededRandom(1), systemClock)
    const leases = Array.from({ length: 100 }, () => newLease(own, ids))
    expect(new Set(leases).size).toBe(100)
    for (const lease of leases) expect(lease).toMatch(/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/)
  })

  it.each([
    ['this process', own, false],
    ['another that is there', { ...own, pid: process.ppid }, false],
    ['one that has ended', { ...own, pid: gone }, true],
    ['one that had our number before us', { ...own, startedAt: new Date(own.startedAt.getTime() - 5_000) }, true],
    ['one that has ended, elsewhere', { ...own, pid: gone, place: 'elsewhere' }, false],
  ])('of %s: abandoned is %o', (_, holder, expected) => {
    expect(isAbandoned(newLease(holder, systemIds), own)).toBe(expected)
  })

  it('that says nothing of its holder is left to its end', () => {
    expect(isAbandoned(systemIds.uuid(), own)).toBe(false)
  })
})
