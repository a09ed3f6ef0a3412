import { describe, expect, it } from 'vitest'
import { incorrect, unavailable } from '../../faults/fault.ts'
import { asFarAsPossible } from './as-far-as-possible.ts'

describe('items of one task', () => {
  function listener(refusalOf: (item: number) => Error | undefined) {
    const told: number[] = []
    const calls: number[] = []
    const tell = async (items: readonly number[]) => {
      calls.push(items.length)
      for (const item of items) {
        const refusal = refusalOf(item)
        if (refusal !== undefined) throw refusal
      }
      told.push(...items)
    }
    return { told, calls, tell }
  }

  it('are told together', async () => {
    const { told, calls, tell } = listener(() => undefined)
    await asFarAsPossible([1, 2, 3], tell)
    expect({ told, calls }).toEqual({ told: [1, 2, 3], calls: [3] })
  })

  it('are told half by half, in their order, when one of them is refused, which is said', async () => {
    const { told, calls, tell } = listener((item) => (item === 2 ? incorrect('Not two.') : undefined))
    await expect(asFarAsPossible([1, 2, 3], tell)).rejects.toThrow('Not two.')
    expect({ told, calls }).toEqual({ told: [1, 3], calls: [3, 2, 1, 1, 1] })
  })

  it('are told in as large parts as are taken', async () => {
    const items = Array.from({ length: 100 }, (_, index) => index)
    const told: number[] = []
    let calls = 0
    await asFarAsPossible(items, async (some) => {
      calls++
      if (some.length > 30) throw incorrect('Too many.')
      told.push(...some)
    })
    expect({ told, calls }).toEqual({ told: items, calls: 7 })
  })

  it('wait together while the outside is away', async () => {
    const { told, calls, tell } = listener((item) => (item === 2 ? unavailable('Away.') : undefined))
    await expect(asFarAsPossible([1, 2, 3], tell)).rejects.toThrow('Away.')
    expect({ told, calls }).toEqual({ told: [], calls: [3] })
  })

  it('that is only one is not told twice', async () => {
    const { calls, tell } = listener(() => incorrect('No.'))
    await expect(asFarAsPossible([1], tell)).rejects.toThrow('No.')
    expect(calls).toEqual([1])
  })
})
