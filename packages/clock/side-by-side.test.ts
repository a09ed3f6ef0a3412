import { describe, expect, it } from 'vitest'
import { sideBySide } from './side-by-side.ts'

describe('items that are worked on side by side', () => {
  it('are no more than may be at once, and their results are in their order', async () => {
    let [atOnce, most] = [0, 0]
    const results = await sideBySide([1, 2, 3, 4, 5], 2, async (item) => {
      most = Math.max(most, ++atOnce)
      for (let turns = 0; turns < 10 - item; turns++) await Promise.resolve()
      atOnce--
      return item * 10
    })
    expect(results).toEqual([10, 20, 30, 40, 50])
    expect(most).toBe(2)
  })

  it('are not begun after one has failed, and those under way are waited for', async () => {
    const slow = Promise.withResolvers<void>()
    const begun: string[] = []
    let isSlowDone = false
    let hasSlowHeard = false
    const all = sideBySide(['slow', 'wrong', 'late'], 2, async (item, hasFailed) => {
      begun.push(item)
      if (item === 'wrong') throw new Error('it is wrong')
      await slow.promise
      hasSlowHeard = hasFailed()
      isSlowDone = true
    })
    let isOver = false
    const end = all.finally(() => (isOver = true)).catch((thrown: unknown) => thrown)
    await Promise.resolve()
    expect(isOver).toBe(false)
    slow.resolve()
    expect(await end).toMatchObject({ message: 'it is wrong' })
    expect({ begun, isSlowDone, hasSlowHeard }).toEqual({
      begun: ['slow', 'wrong'],
      isSlowDone: true,
      hasSlowHeard: true,
    })
  })

  it('fail with the first failure', async () => {
    const failing = sideBySide([1, 2], 2, (item) => Promise.reject(new Error(`failure ${item}`)))
    await expect(failing).rejects.toThrow('failure 1')
  })

  it('may be none', async () => {
    expect(await sideBySide([], 4, () => Promise.reject(new Error('never')))).toEqual([])
  })
})
