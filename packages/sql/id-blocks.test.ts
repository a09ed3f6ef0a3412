import { expect, it } from 'vitest'
import { IdBlocks } from './id-blocks.ts'

it('numbers grow without a gap within a block, and never come twice from two copies', async () => {
  let row = 1
  const reserve = async (size: number) => (row += size)
  const copies = [new IdBlocks(reserve), new IdBlocks(reserve)]
  const taken = await Promise.all(Array.from({ length: 400 }, (_, index) => copies[index % 2]?.next()))
  expect(new Set(taken).size).toBe(400)
  expect(taken.slice(0, 4)).toEqual([1, 51, 2, 52])
})

it('many who ask at once take one block together', async () => {
  let reservations = 0
  const ids = new IdBlocks(async (size) => ++reservations * size + 1)
  await Promise.all(Array.from({ length: 50 }, () => ids.next()))
  expect(reservations).toBe(1)
})
