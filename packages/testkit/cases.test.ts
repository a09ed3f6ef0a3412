import { describe, expect, it } from 'vitest'
import { chosenBy, oneOf, replayed, tryCases, type Choose } from './cases.ts'

const list = (choose: Choose) => Array.from({ length: choose(20) }, () => choose(1_000))

describe('made cases', () => {
  it('are as many as were asked for, and not all the same', () => {
    const seen: string[] = []
    tryCases(500, list, (made) => seen.push(String(made)))
    expect(seen).toHaveLength(500)
    expect(new Set(seen).size).toBeGreaterThan(400)
  })

  it('that fail are told reduced, with the seed that begins with them', () => {
    const hold = (made: readonly number[]) => {
      if (made.some((number) => number >= 700)) throw new Error('too large')
    }
    const failure = thrownBy(() => tryCases(500, list, hold))
    expect(failure.message).toMatch(/reduced to \[700\]: too large$/)
    const seed = Number(/CORRIDOR_TEST_SEED=(\d+)/.exec(failure.message)?.[1])
    expect(() => hold(list(chosenBy(seed)))).toThrow('too large')
    expect(failure.cause).toMatchObject({ message: 'too large' })
  })

  it('that fail only once are told with their seed', () => {
    let isFirst = true
    const hold = () => {
      if (!isFirst) return
      isFirst = false
      throw new Error('now and then')
    }
    expect(() => tryCases(1, list, hold)).toThrow(/CORRIDOR_TEST_SEED=\d+ failed once/)
  })

  it('are the same for the same choices, and simple where choices are missing', () => {
    expect(list(chosenBy(7))).toEqual(list(chosenBy(7)))
    expect(list(replayed([3, 5]))).toEqual([5, 0, 0])
    expect(oneOf(replayed([9]), ['a', 'b'])).toBe('b')
  })
})

function thrownBy(work: () => void): Error {
  try {
    work()
  } catch (thrown) {
    if (thrown instanceof Error) return thrown
  }
  throw new Error('nothing was thrown')
}
