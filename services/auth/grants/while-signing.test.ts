import { expect, it } from 'vitest'
import { whileSigning } from './while-signing.ts'

/** Notes for how many signatures each batch gathered, and runs out of them when it is told to. */
function watchedSigner() {
  const counts: number[] = []
  return { counts, timesDone: 0, allBut: async (count: number) => void counts.push(count) }
}

it('gathers for one signature fewer after each batch during which there was always one left to make', async () => {
  const signer = watchedSigner()
  const gather = whileSigning({ signer })
  for (let batch = 0; batch < 40; batch++) await gather()
  expect(signer.counts.slice(0, 3)).toEqual([31, 30, 29])
  expect(signer.counts.at(-1)).toBe(1)
})

it('gathers for eight more after a batch during which none was left, up to a bound', async () => {
  const signer = watchedSigner()
  const gather = whileSigning({ signer })
  for (let batch = 0; batch < 14; batch++) {
    signer.timesDone++
    await gather()
  }
  expect(signer.counts.slice(0, 3)).toEqual([40, 48, 56])
  expect(signer.counts.slice(-3)).toEqual([128, 128, 128])
  await gather()
  expect(signer.counts.at(-1)).toBe(127)
})
