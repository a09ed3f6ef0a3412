import { expect, it } from 'vitest'
import { findBenchmarks } from './find-benchmarks.ts'

const folder = new URL('../', import.meta.url)

it('finds every benchmark of the folder under the name of its file, with a first variant to compare with', async () => {
  const found = await findBenchmarks(folder)
  expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(['http-token', 'sql-commits']))
  for (const { variants, title, unit } of found) {
    expect(variants.length).toBeGreaterThan(1)
    expect([title, unit]).not.toContain('')
  }
})

it('loads only those that are named', async () => {
  expect((await findBenchmarks(folder, ['sql-commits'])).map(({ name }) => name)).toEqual(['sql-commits'])
})

it('says which there are when one is unknown', async () => {
  await expect(findBenchmarks(folder, ['sql-comits'])).rejects.toThrow(
    /^There is no benchmark "sql-comits"\. There are: .*http-token.*, sql-commits.*\.$/,
  )
})
