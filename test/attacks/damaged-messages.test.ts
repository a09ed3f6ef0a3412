import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { casesOf, casesTimeoutMs } from '../../packages/testkit/extent.ts'
import { testSeed } from '../../packages/testkit/test-seed.ts'
import { tellFigures } from '../faults/findings/fault-figures.ts'
import type { SearchOrder, SearchReport } from './damaged/target.ts'

const seed = testSeed()

it.for([
  { target: 'reading', tries: casesOf({ daily: 5_000, long: 200_000, night: 2_000_000 }) },
  { target: 'mapping', tries: casesOf({ daily: 500, long: 20_000, night: 200_000 }) },
] as const)(
  `$target holds for $tries messages that are damaged on, from those that went further than any before (CORRIDOR_TEST_SEED=${seed})`,
  { timeout: casesTimeoutMs },
  async ({ target, tries }, { task }) => {
    const { found, kept, seeds, reached, reachedBySeeds, places } = await searchedBy({ target, tries, seed })
    expect(found).toEqual([])
    // Else the search was led by nothing.
    expect(kept).toBeGreaterThan(seeds)
    expect(reached).toBeGreaterThan(reachedBySeeds)
    const seen = `${target}: ${reached} of ${places} places reached, ${reachedBySeeds} by the messages it began with`
    tellFigures(task, { histories: tries, seen })
  },
)

async function searchedBy(order: SearchOrder): Promise<SearchReport> {
  const worker = new Worker(new URL('damaged/search.ts', import.meta.url), { workerData: order, execArgv: [] })
  try {
    const [report] = (await once(worker, 'message')) as [SearchReport]
    return report
  } finally {
    await worker.terminate()
  }
}
