import { expect, it } from 'vitest'
import { familyProcessorMs, processorMs } from './processor-time.ts'

it('counts the time of a process and of its family, and knows nothing of one that is not there', async () => {
  const own = await processorMs(process.pid)
  const family = await familyProcessorMs(process.pid)
  // Only Linux tells.
  expect(own === undefined).toBe(process.platform !== 'linux')
  expect(family ?? 0).toBeGreaterThanOrEqual(own ?? 0)
  expect(await processorMs(2 ** 30)).toBeUndefined()
  expect(await familyProcessorMs(2 ** 30)).toBeUndefined()
})
