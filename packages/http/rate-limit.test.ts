import { describe, expect, it } from 'vitest'
import { missing, tooMuch, unauthenticated, unavailable } from '../faults/fault.ts'
import { limitAnswers, limitFailures, type FailureLimiter } from './rate-limit.ts'

/** Three failures of a key, and it has to wait. */
function limiter() {
  const counts = new Map<string, number>()
  const underWay = new Set<string>()
  const failures: FailureLimiter = {
    async begin(key) {
      if ((counts.get(key) ?? 0) >= 3) throw tooMuch('Too many failed attempts.')
      underWay.add(key)
      return {
        failed: async () => void counts.set(key, (counts.get(key) ?? 0) + 1),
        succeeded: async () => void counts.delete(key),
        [Symbol.dispose]: () => void underWay.delete(key),
      }
    },
  }
  return {
    ...{ counts, underWay },
    attempt: (work: () => Promise<string>, key = 'k') => limitFailures(failures, key, work),
    answer: (work: () => Promise<string>) => limitAnswers(failures, 'k', work),
  }
}

const wrong = () => Promise.reject(unauthenticated('wrong'))

describe('failures', () => {
  it('are those of the caller; successes and other faults do not count', async () => {
    const { counts, attempt } = limiter()
    expect(await attempt(async () => 'ok')).toBe('ok')
    for (const fault of [missing('not there'), unavailable('away'), new Error('a bug')]) {
      await expect(attempt(() => Promise.reject(fault))).rejects.toThrow(fault.message)
    }
    expect(counts.size).toBe(0)
    await expect(attempt(wrong)).rejects.toThrow('wrong')
    expect(counts.get('k')).toBe(1)
  })

  it('that were too many keep the work from being done, for that key alone', async () => {
    const { attempt } = limiter()
    for (let count = 0; count < 3; count++) await expect(attempt(wrong)).rejects.toThrow('wrong')
    const never = () => expect.unreachable('the work was done')
    await expect(attempt(never)).rejects.toMatchObject({ kind: 'too-much' })
    expect(await attempt(async () => 'ok', 'another')).toBe('ok')
  })

  it('are not forgotten by a success, which proves nothing by itself', async () => {
    const { counts, attempt } = limiter()
    await expect(attempt(wrong)).rejects.toThrow('wrong')
    await attempt(async () => 'ok')
    expect(counts.get('k')).toBe(1)
  })

  it('of what cannot be guessed are told to wait once they were too many, and keep no success out', async () => {
    const { counts, underWay, answer } = limiter()
    for (let count = 0; count < 3; count++) await expect(answer(wrong)).rejects.toThrow('wrong')
    expect(counts.get('k')).toBe(3)
    await expect(answer(wrong)).rejects.toMatchObject({ kind: 'too-much' })
    expect(await answer(async () => 'ok')).toBe('ok')
    await expect(answer(() => Promise.reject(unavailable('away')))).rejects.toThrow('away')
    expect(underWay.size).toBe(0)
  })

  it('and successes alike end the attempt, which is under way while the work is', async () => {
    const { underWay, attempt } = limiter()
    expect(await attempt(async () => [...underWay].join(' '))).toBe('k')
    await expect(attempt(wrong)).rejects.toThrow('wrong')
    expect(underWay.size).toBe(0)
  })
})
