import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conflict, unavailable } from '../faults/fault.ts'
import { Batcher } from './batcher.ts'

const never = 'never'

/** A write that ends when it is told to. */
function gatedWrites() {
  const batches: { items: readonly number[]; finish: (fault?: unknown) => void }[] = []
  const write = (items: readonly number[]) =>
    new Promise<readonly number[]>((resolve, reject) => {
      const finish = (fault?: unknown) =>
        fault === undefined ? resolve(items.map((item) => item * 10)) : reject(fault)
      batches.push({ items, finish })
    })
  return { batches, write }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

describe('a batcher', () => {
  it('writes an item alone at once, and what came meanwhile together when a writer is free', async () => {
    const { batches, write } = gatedWrites()
    const batcher = new Batcher({ write, writers: 1, batchMax: 3 })
    const first = batcher.submit(1)
    await turn()
    const rest = range(2, 6).map((item) => batcher.submit(item))
    await turn()
    expect(batches.map(({ items }) => items)).toEqual([[1]])
    batches[0]?.finish()
    expect(await first).toBe(10)
    await turn()
    batches[1]?.finish()
    await turn()
    batches[2]?.finish()
    expect(await Promise.all(rest)).toEqual([20, 30, 40, 50, 60])
    expect(batches.map(({ items }) => items)).toEqual([[1], [2, 3, 4], [5, 6]])
  })

  it('gathers before a batch that follows one of several, from its first item on, unless it is full already', async () => {
    const { batches, write } = gatedWrites()
    const gathered = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let gatherings = 0
    const gather = async () => gathered[gatherings++]?.promise
    const batcher = new Batcher({ write, writers: 1, batchMax: 3, gather })
    const all = [batcher.submit(1)]
    const submit = async (item: number) => {
      all.push(batcher.submit(item))
      await turn()
    }
    const finish = async (batch: number) => {
      batches[batch]?.finish()
      await turn()
    }
    await turn()
    all.push(...range(2, 7).map((item) => batcher.submit(item)))
    // One alone is followed at once, and so is one behind which a full batch waits.
    await finish(0)
    await finish(1)
    await finish(2)
    expect([batches.length, gatherings]).toEqual([3, 0])
    // Those who were answered together come again one after the other.
    await submit(8)
    await submit(9)
    expect([batches.length, gatherings]).toEqual([3, 1])
    gathered[0]?.resolve()
    await turn()
    expect(batches[3]?.items).toEqual([8, 9])
    await submit(10)
    await finish(3)
    expect([batches.length, gatherings]).toEqual([4, 2])
    // Whoever ends waits for nobody.
    void batcher.close()
    expect(batches[4]?.items).toEqual([10])
    await finish(4)
    expect(await Promise.all(all)).toHaveLength(10)
  })

  it('keeps items of several keys apart, and in their order', async () => {
    const { batches, write } = gatedWrites()
    const keys: Readonly<Record<number, string[]>> = { 1: ['a', 'b'], 2: ['b', 'c'], 3: ['d'], 4: ['c'], 5: ['d'] }
    const batcher = new Batcher({ write, writers: 2, keysOf: (item: number) => keys[item] ?? [] })
    const all = range(1, 5).map((item) => batcher.submit(item))
    await turn()
    expect(batches.map(({ items }) => items)).toEqual([[1, 3]])
    batches[0]?.finish()
    await turn()
    expect(batches.map(({ items }) => items)).toEqual([
      [1, 3],
      [2, 5],
    ])
    batches[1]?.finish()
    await turn()
    batches[2]?.finish()
    expect(await Promise.all(all)).toEqual([10, 20, 30, 40, 50])
  })

  it('acknowledges nothing before its write has returned', async () => {
    const { batches, write } = gatedWrites()
    const acknowledged = new Batcher({ write }).submit(1)
    expect(await Promise.race([acknowledged, turn().then(() => never)])).toBe(never)
    batches[0]?.finish()
    expect(await acknowledged).toBe(10)
  })

  it('refuses what its queue cannot hold', async () => {
    const { batches, write } = gatedWrites()
    const batcher = new Batcher({ write, queueMax: 2, batchMax: 10 })
    const taken = [batcher.submit(1), batcher.submit(2)]
    await expect(batcher.submit(3)).rejects.toMatchObject({ kind: 'too-much', code: 'QUEUE_FULL' })
    await turn()
    batches[0]?.finish()
    expect(await Promise.all(taken)).toEqual([10, 20])
  })

  it('lets a poison item fail alone', async () => {
    const attempts: (readonly number[])[] = []
    const batcher = new Batcher({
      write: async (items: readonly number[]) => {
        attempts.push(items)
        if (items.includes(2)) throw conflict('Two is taken.')
        return items
      },
    })
    const outcomes = await Promise.allSettled([1, 2, 3].map((item) => batcher.submit(item)))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(attempts).toEqual([[1, 2, 3], [1], [2], [3]])
  })

  it('fails the whole batch when the database is unavailable, without trying each item', async () => {
    let attempts = 0
    const batcher = new Batcher({
      write: async () => {
        attempts++
        throw unavailable('Down.')
      },
    })
    const outcomes = await Promise.allSettled([1, 2, 3].map((item) => batcher.submit(item)))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(attempts).toBe(1)
  })

  /** Items from 1 on in one batch, some of which take too long: what was tried, and which of them came through. */
  async function triedWithSlow(isSlow: (item: number) => boolean, count: number) {
    const attempts: (readonly number[])[] = []
    const batcher = new Batcher({
      write: async (items: readonly number[]) => {
        attempts.push(items)
        if (items.some(isSlow)) throw unavailable('Slow.', { code: 'DATABASE_TIMEOUT' })
        return items
      },
    })
    const outcomes = await Promise.allSettled(range(1, count).map((item) => batcher.submit(item)))
    return { attempts, written: outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [index + 1] : [])) }
  }

  const isEven = (item: number): boolean => item % 2 === 0

  it('lets an item that takes the database too long fail alone', async () => {
    expect(await triedWithSlow(isEven, 5)).toEqual({
      attempts: [range(1, 5), [1], [2], [3], [4], [5]],
      written: [1, 3, 5],
    })
  })

  it('does not try the rest once two in a row have taken the database too long', async () => {
    expect(await triedWithSlow((item) => item === 2 || item === 3, 5)).toEqual({
      attempts: [range(1, 5), [1], [2], [3]],
      written: [1],
    })
  })

  it('does not try the rest once three of them have taken the database too long', async () => {
    expect(await triedWithSlow(isEven, 9)).toEqual({
      attempts: [range(1, 9), [1], [2], [3], [4], [5], [6]],
      written: [1, 3, 5],
    })
  })

  it('does not write again what was written with a wrong count of results', async () => {
    let attempts = 0
    const batcher = new Batcher({
      write: async () => {
        attempts++
        return []
      },
    })
    const outcomes = await Promise.allSettled([1, 2].map((item) => batcher.submit(item)))
    expect([attempts, ...outcomes.map(({ status }) => status)]).toEqual([1, 'rejected', 'rejected'])
  })

  it('finishes what it has when it is closed, and takes nothing more', async () => {
    const { batches, write } = gatedWrites()
    const batcher = new Batcher({ write })
    const taken = batcher.submit(1)
    const closed = batcher.close()
    await expect(batcher.submit(2)).rejects.toMatchObject({ kind: 'unavailable' })
    await turn()
    batches[0]?.finish()
    await closed
    expect(await taken).toBe(10)
  })

  it('keeps the order of each key and never has it in two batches at once', async () => {
    const items = fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), poison: fc.boolean() }), { maxLength: 40 })
    const settings = fc.record({
      items,
      writers: fc.integer({ min: 1, max: 4 }),
      batchMax: fc.integer({ min: 1, max: 5 }),
    })
    await fc.assert(
      fc.asyncProperty(settings, fc.scheduler(), async ({ items: given, writers, batchMax }, scheduler) => {
        const writing = new Set<string>()
        const doubled: string[] = []
        const written = new Map<string, number[]>()
        const batcher = new Batcher({
          writers,
          batchMax,
          keyOf: ({ key }: { key: string }) => key,
          write: async (batch: readonly { key: string; poison: boolean; index: number }[]) => {
            const keys = [...new Set(batch.map(({ key }) => key))]
            // Kept for later: what is thrown here may only split the batch.
            doubled.push(...keys.filter((key) => writing.has(key)))
            for (const key of keys) writing.add(key)
            await scheduler.schedule(Promise.resolve())
            for (const key of keys) writing.delete(key)
            if (batch.some(({ poison }) => poison)) throw conflict('Poison.')
            for (const { key, index } of batch) written.set(key, [...(written.get(key) ?? []), index])
            return batch.map(({ index }) => index)
          },
        })
        const submitted = given.map((item, index) => batcher.submit({ ...item, index }))
        const outcomes = await scheduler.waitFor(Promise.allSettled(submitted))
        expect(doubled).toEqual([])
        expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(given.map(({ poison }) => poison))
        for (const key of ['a', 'b', 'c']) {
          const expected = given.flatMap((item, index) => (item.key === key && !item.poison ? [index] : []))
          expect(written.get(key) ?? []).toEqual(expected)
        }
      }),
    )
  })
})
