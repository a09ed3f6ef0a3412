import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../packages/clock/simulated-clock.ts'
import { benchmark, type Round } from './benchmark.ts'
import { repeat } from './repeat.ts'
import { resultsOf } from './result.ts'
import { runBenchmark } from './run-benchmark.ts'

const machine = { cpu: 'abacus', cores: 1, memoryGiB: 1, os: 'none', node: 'v24' }
const circumstances = { machine, commit: 'c0ffee', time: '2026-01-01T00:00:00.000Z' }

/** Two variants that do nothing but say what they were asked. */
function makeBenchmark(figures: Readonly<Record<string, readonly number[]>>) {
  const asked: string[] = []
  const counts = new Map<string, number>()
  const variant = (name: string) => async (_world: AsyncDisposable, round: Round) => {
    asked.push(`${name} ${round.seconds}`)
    round.record(asked.length)
    round.note('seconds asked', round.seconds)
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return figures[name]?.[count] ?? 0
  }
  const made = benchmark({
    name: 'sums',
    title: 'nothing against nothing',
    unit: 'sums/s',
    setup: async ({ progress }) => {
      progress('setting up')
      return { [Symbol.asyncDispose]: async () => void asked.push('closed') }
    },
    variants: Object.fromEntries(Object.keys(figures).map((name) => [name, variant(name)])),
  })
  return { made, asked }
}

describe('running a benchmark', () => {
  it('warms up every variant and interleaves the rounds, every other one backwards', async () => {
    const { made, asked } = makeBenchmark({ a: [], b: [] })
    const said: string[] = []
    const deps = { clock: new SimulatedClock(), progress: (text: string) => said.push(text) }
    await runBenchmark(made, { rounds: 3, seconds: 2 }, deps)
    expect(asked).toEqual(['a 1', 'b 1', 'a 2', 'b 2', 'b 2', 'a 2', 'a 2', 'b 2', 'closed'])
    expect(said.slice(0, 2)).toEqual(['sums: nothing against nothing', '  setting up'])
    expect(said.at(-1)).toBe('  round 3 of 3, b: 0 sums/s')
  })

  it('warms nothing up that warms itself up', async () => {
    const { made, asked } = makeBenchmark({ a: [], b: [] })
    const deps = { clock: new SimulatedClock(), progress: () => {} }
    await runBenchmark({ ...made, warmsUp: false }, { rounds: 1, seconds: 2 }, deps)
    expect(asked).toEqual(['a 2', 'b 2', 'closed'])
  })

  it('closes what was set up when a variant fails', async () => {
    const asked: string[] = []
    const failing = benchmark({
      name: 'failing',
      title: 'a variant that fails',
      unit: 'x',
      setup: async () => ({ [Symbol.asyncDispose]: async () => void asked.push('closed') }),
      variants: { a: () => Promise.reject(new Error('broken')) },
    })
    const deps = { clock: new SimulatedClock(), progress: () => {} }
    await expect(runBenchmark(failing, {}, deps)).rejects.toThrow('broken')
    expect(asked).toEqual(['closed'])
  })

  it('stops after the round under way when it is told to, and closes what was set up', async () => {
    const { made, asked } = makeBenchmark({ a: [], b: [] })
    const stop = new AbortController()
    const progress = (text: string) => (text.includes('round 1') ? stop.abort(new Error('stopped')) : undefined)
    const deps = { clock: new SimulatedClock(), progress, signal: stop.signal }
    await expect(runBenchmark(made, { seconds: 2 }, deps)).rejects.toThrow('stopped')
    expect(asked).toEqual(['a 1', 'b 1', 'a 2', 'closed'])
  })

  it('compares variants within each round and leaves the warm-up out', async () => {
    // The machine was twice as slow in the second round: the ratio does not notice.
    const { made } = makeBenchmark({ single: [1, 100, 50, 100], grouped: [1, 400, 200, 300] })
    const runs = await runBenchmark(made, { rounds: 3 }, { clock: new SimulatedClock(), progress: () => {} })
    const [single, grouped] = resultsOf(made, runs, circumstances)
    expect(single).toMatchObject({
      variant: 'single',
      median: 100,
      min: 50,
      max: 100,
      ratio: 1,
      ratioMin: 1,
      ratioMax: 1,
    })
    expect(grouped).toEqual({
      benchmark: 'sums',
      variant: 'grouped',
      unit: 'sums/s',
      rounds: 3,
      median: 300,
      min: 200,
      max: 400,
      ratio: 4,
      ratioMin: 3,
      ratioMax: 4,
      p50Ms: 5,
      p90Ms: 7.4,
      p99Ms: 7.94,
      notes: { 'seconds asked': 3 },
      ...circumstances,
    })
  })

  it('gives no latencies and no notes where there were none', () => {
    const bare = { variant: 'a', figures: [1], latenciesMs: [], notes: new Map() }
    const [result] = resultsOf(makeBenchmark({}).made, [bare], circumstances)
    expect(result).toMatchObject({ p50Ms: null, p90Ms: null, p99Ms: null })
    expect(result).not.toHaveProperty('notes')
  })
})

describe('repeating an operation', () => {
  it('runs until the time is over, counts what was done, and records each', async () => {
    const clock = new SimulatedClock()
    const latenciesMs: number[] = []
    const round: Round = { seconds: 1, clock, record: (latencyMs) => latenciesMs.push(latencyMs), note: () => {} }
    let atOnce = 0
    let atOnceMax = 0
    const rate = repeat(round, 2, async () => {
      atOnceMax = Math.max(atOnceMax, ++atOnce)
      await clock.sleep(100)
      atOnce--
    })
    await clock.advance(1_000)
    expect(await rate).toBe(20)
    expect(latenciesMs).toEqual(Array.from({ length: 20 }, () => 100))
    expect(atOnceMax).toBe(2)
  })

  it('counts the time of the last ones', async () => {
    const clock = new SimulatedClock()
    const rate = repeat({ seconds: 1, clock, record: () => {}, note: () => {} }, 1, () => clock.sleep(1_500))
    await clock.advance(2_000)
    expect(await rate).toBeCloseTo(1 / 1.5)
  })
})
