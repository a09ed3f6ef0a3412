import { expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { runPlan } from './run-plan.ts'

const hl7 = { name: 'hl7', title: 'reading' }
const brief = { rounds: 1, seconds: 0.01, limitSeconds: 60, environment: {} }
const deps = { clock: systemClock, progress: () => {}, stop: new AbortController().signal }

it('runs a benchmark in a process of its own and reads its results', async () => {
  const said: string[] = []
  const { outcome } = await runPlan(hl7, brief, { ...deps, progress: (text) => said.push(text) })
  expect(outcome).toMatchObject({
    is: 'measured',
    results: expect.arrayContaining([expect.objectContaining({ benchmark: 'hl7', rounds: 1 })]) as object,
  })
  expect(said).toContain('  warming up framed, 50 MB')
})

it.each([
  [
    'one that ends with an error',
    { ...hl7, name: 'no-such-benchmark' },
    brief,
    /^There is no benchmark "no-such-benchmark"/,
  ],
  ['one that takes too long', hl7, { ...brief, seconds: 60, limitSeconds: 0.05 }, /^It took longer than 0.05 s\.$/],
])('says why it failed: %s', async (_what, benchmark, plan, reason) => {
  const { outcome } = await runPlan(benchmark, plan, deps)
  expect(outcome).toEqual({ is: 'failed', reason: expect.stringMatching(reason) })
})

it('leaves out what there is no plan for', async () => {
  expect((await runPlan(hl7, undefined, deps)).outcome).toEqual({ is: 'left out' })
})

it('ends with whoever stops it', async () => {
  const stop = AbortSignal.abort(new Error('enough'))
  await expect(runPlan(hl7, brief, { ...deps, stop })).rejects.toThrow('enough')
})
