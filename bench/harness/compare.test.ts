import { describe, expect, it } from 'vitest'
import { compareRuns, differencesOf, readRun } from './compare.ts'
import { comparisonTable } from './comparison-table.ts'
import type { Result } from './result.ts'

const machine = { cpu: 'abacus', cores: 1, memoryGiB: 1, os: 'none', node: 'v24' }

function result(figures: Partial<Result>): Result {
  const latencies = { p50Ms: null, p90Ms: null, p99Ms: null }
  const ratios = { ratio: 1, ratioMin: 1, ratioMax: 1 }
  const place = { machine, commit: null, time: '2026-01-01T00:00:00.000Z' }
  const named = { benchmark: 'sums', variant: 'a', unit: 'sums/s', rounds: 3 }
  return { ...named, median: 100, min: 90, max: 110, ...ratios, ...latencies, ...place, ...figures }
}

describe('comparing two runs', () => {
  it.each([
    ['higher', { median: 150, min: 111, max: 160 }],
    ['lower', { median: 50, min: 40, max: 89 }],
    ['within the spread', { median: 105, min: 95, max: 120 }],
    ['within the spread', { median: 150, min: 110, max: 160 }],
  ])('calls a change %s', (verdict, after) => {
    const [comparison] = compareRuns([result({})], [result(after)])
    expect(comparison?.verdict).toBe(verdict)
    expect(comparison?.change).toBe(after.median / 100)
  })

  it('names what is new and what is gone', () => {
    const comparisons = compareRuns([result({ variant: 'old' })], [result({ variant: 'young' })])
    expect(comparisons.map(({ variant, verdict }) => [variant, verdict])).toEqual([
      ['old', 'gone'],
      ['young', 'new'],
    ])
  })

  it('prints a table', () => {
    const before = [result({}), result({ variant: 'grouped', median: 400, min: 390, max: 420, ratio: 4 })]
    const after = [result({ median: 150, min: 140, max: 160 })]
    expect(comparisonTable(compareRuns(before, after)).split('\n')).toEqual([
      'benchmark  variant  unit           before          after  after/before  ratio before  ratio after',
      'sums       a        sums/s   100 (90–110)  150 (140–160)         ×1.50            ×1           ×1  higher',
      'sums       grouped  sums/s  400 (390–420)              -             -            ×4            -  gone',
    ])
  })

  it('warns when the machines differ', () => {
    const elsewhere = result({ machine: { ...machine, cores: 64 } })
    expect(differencesOf([result({})], [result({})])).toEqual([])
    expect(differencesOf([result({})], [elsewhere])).toEqual([
      'The runs are from different machines: compare the ratios, not the figures.',
    ])
  })

  it('reads the lines that a run wrote', () => {
    const lines = `${JSON.stringify(result({}))}\n\n${JSON.stringify(result({ variant: 'b' }))}\n`
    expect(readRun(lines, 'run.jsonl')).toEqual([result({}), result({ variant: 'b' })])
  })

  it.each([['{"benchmark":"sums"'], ['{"a":1}'], ['null']])('says where a line is no result: %s', (line) => {
    expect(() => readRun(`${JSON.stringify(result({}))}\n${line}\n`, 'run.jsonl')).toThrow(
      'run.jsonl:2 is not a benchmark result. Give files that npm run bench -- --out wrote.',
    )
  })
})
