import { describe, expect, it } from 'vitest'
import type { Result } from '../result.ts'
import { bar, figureText } from './bars.ts'
import { isMet } from './goals.ts'
import { growthIn } from './growth.ts'
import type { Measured } from './measured.ts'
import { planOf } from './plan.ts'
import { writeReport, type Report } from './write-report.ts'

const machine = { cpu: 'abacus (wood)', cores: 2, memoryGiB: 4, os: 'none', node: 'v24' }
const commit = 'c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00'

function result(benchmark: string, variant: string, figures: Partial<Result>): Result {
  const { median = 100, ratio = 1 } = figures
  return {
    ...{ benchmark, variant, unit: 'things/s', rounds: 3, median, min: median, max: median },
    ...{ ratio, ratioMin: ratio, ratioMax: ratio, p50Ms: null, p90Ms: null, p99Ms: null },
    ...{ machine, commit, time: '2026-11-15T10:00:00.000Z', ...figures },
  }
}

const measured = (benchmark: string, results: readonly Result[]): Measured => ({
  ...{ benchmark, title: `what ${benchmark} asks` },
  outcome: { is: 'measured', results, tookSeconds: 12 },
})

const bridge = [
  result('bridge', '1 connection, known patients', {
    ...{ median: 260, min: 240, max: 270, p50Ms: 3.8, p99Ms: 9 },
    notes: { commits: 5, 'whole ms': 4, 'RECEIVE ms': 1, 'PERSIST ms': 2 },
  }),
  result('bridge', '8 connections, known patients', { median: 700, ratio: 2.7, p50Ms: 11, p99Ms: 40 }),
  result('bridge', '32 connections, known patients', {
    ...{ median: 900, ratio: 3.5, p50Ms: 35, p99Ms: 149 },
    notes: { commits: 0.5, syncs: 0.4, 'whole ms': 40, 'RECEIVE ms': 10, 'PERSIST ms': 20 },
  }),
]
const drain = [
  result('bridge-drain', 'sent on 32 connections', { median: 900 }),
  result('bridge-drain', '2,000 parked', { median: 500 }),
]
const referral = [
  result('referral', 'inbox of 10,000', { median: 600 }),
  result('referral', 'inbox of 1,000,000', { median: 300, ratio: 0.5 }),
]
const limits = [
  result('machine-limits', 'disk syncs of 8 KiB', { median: 2_000 }),
  result('machine-limits', 'MLLP echo, one connection', { median: 4_000, ratio: 2 }),
]

const report: Report = {
  ...{ extent: 'usual', machine, commit, date: '2026-11-15' },
  measured: [
    measured('bridge', bridge),
    measured('bridge-drain', drain),
    measured('machine-limits', limits),
    measured('referral', referral),
    { benchmark: 'fhir-store', title: 'what fhir-store asks', outcome: { is: 'failed', reason: 'It broke.' } },
    { benchmark: 'console-search', title: 'what console-search asks', outcome: { is: 'left out' } },
  ],
}

describe('the report', () => {
  const text = writeReport(report)
  const part = (title: string) => text.split(/^## /m).find((one) => one.startsWith(`${title}\n`)) ?? ''
  const cells = (title: string) =>
    part(title)
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .slice(2)
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      )

  it('has its parts in one order', () => {
    expect([...text.matchAll(/^##? (.*)$/gm)].map(([, title]) => title)).toEqual([
      ...['Performance', 'Goals', 'The limits of this machine', 'Where the time of a message goes'],
      ...['How cost grows with data', 'bridge', 'bridge-drain', 'machine-limits', 'referral', 'fhir-store'],
      ...['console-search', 'Make it again'],
    ])
    expect(writeReport(report)).toBe(text)
  })

  it('says on which machine, when and of what', () => {
    const [head = ''] = text.split(/^## /m)
    for (const said of ['2026-11-15', commit, 'abacus (wood), 2 cores', '4 GiB', '2,000 syncs a second']) {
      expect(head).toContain(said)
    }
  })

  it('says which goals are met, and how much of the others', () => {
    const goals = cells('Goals')
    expect(goals[0]).toEqual([
      'Messages through all stages, 32 connections',
      'at least 1,000 messages/s',
      '900',
      '✗ 90 % of it',
    ])
    expect(goals[1]).toEqual(['Their answer, 99 of 100', 'at most 150 ms', '149', '✓ met'])
    expect(goals[2]?.at(-1)).toBe('✓ met')
    expect(goals[4]?.slice(1)).toEqual(['at most 120 s', '100', '✓ met'])
    // It failed or was left out: that is no reason to be silent.
    expect(goals.filter((row) => row.at(-1) === 'not measured').map(([about]) => about)).toEqual([
      'Conditional updates, 128 callers, 100,000 resources',
      'The slowest filter of the console, a million messages',
    ])
  })

  it('draws the share of each stage', () => {
    const shares = cells('Where the time of a message goes')
    expect(shares.map(([stage]) => stage)).toEqual([
      ...['RECEIVE', 'ENRICH', 'TRANSFORM', 'GOVERN', 'PERSIST', 'ACK', 'in between'],
    ])
    expect(shares[4]).toEqual(['PERSIST', '2 ms', '50 %', '20 ms', '50 %', '`██████████`'])
    expect(shares[6]).toEqual(['in between', '1 ms', '25 %', '10 ms', '25 %', '`█████`'])
  })

  it('says what growth costs', () => {
    expect(cells('How cost grows with data')).toEqual([
      ['`referral`', 'inbox', '600 (10,000)', '300 (1,000,000)', '×2', `\`${'█'.repeat(20)}\``],
    ])
  })

  it('gives every figure its spread, its ratio, its rounds, its day and its commit', () => {
    expect(cells('bridge')[0]).toEqual([
      ...['1 connection, known patients', '260 (240–270)', '×1', '3.8', '9'],
      `\`${bar(260, 900)}\``,
    ])
    expect(cells('bridge').slice(-2)).toEqual([
      ['1 connection, known patients', '5', '–'],
      ['32 connections, known patients', '0.5', '0.4'],
    ])
    expect(part('bridge')).toContain('3 rounds in 12 s, 2026-11-15, commit c0ffee00c0ff.')
  })

  it('does not hide what failed', () => {
    expect(text).toMatch(/\| Failed +\| `fhir-store` +\|/)
    expect(part('fhir-store')).toContain('**Failed:** It broke.')
    expect(part('console-search')).toContain('Left out of this report.')
  })

  it('holds also when nothing was measured', () => {
    expect(writeReport({ ...report, measured: [] })).toContain('| Disk      | not measured')
  })
})

it('finds the pairs that tell of growth', () => {
  const found = growthIn([
    ...referral,
    result('fhir-store', 'reads, 4 callers, 10,000', {}),
    result('fhir-store', 'reads, 4 callers, 100,000', { median: 80 }),
    result('consent-evaluate', 'HTTP', { median: 50 }),
    result('consent-evaluate', 'HTTP, few records', {}),
    result('patient-match', 'four at once of 100,000', {}),
  ])
  expect(found.map(({ work, fewSize, manySize, costs }) => [work, fewSize, manySize, costs])).toEqual([
    ['inbox', '10,000', '1,000,000', 2],
    ['reads, 4 callers', '10,000', '100,000', 1.25],
    ['decisions, HTTP', '10,000', '1,000,000', 2],
  ])
})

it.each([
  [{ least: 10 }, 10, true],
  [{ least: 10 }, 9.9, false],
  [{ most: 10 }, 10, true],
  [{ most: 10 }, 10.1, false],
])('a goal of %j is at %d met: %s', (goal, value, met) => {
  expect(isMet(goal, value)).toBe(met)
})

it.each([
  [1, 1, '████'],
  [1, 2, '██'],
  [0.001, 1, '▏'],
  [5, 1, '████'],
  [0, 1, ''],
  [1, 0, ''],
])('draws %d of %d', (value, most, drawn) => {
  expect(bar(value, most, 4)).toBe(drawn)
})

it('writes three digits that count', () => {
  expect([12_345, 3.456, 0.00123].map(figureText)).toEqual(['12,300', '3.46', '0.00123'])
})

it.each([
  ['bridge', 'quick', 1],
  ['bridge', 'usual', 3],
  ['bridge-drain', 'quick', 'left out'],
  ['bridge-drain', 'usual', 1],
  ['fhir-search', 'quick', 'left out'],
  ['fhir-search', 'usual', 3],
  ['fhir-search', 'full', 'its own'],
] as const)('runs %s for a %s report with rounds: %s', (name, extent, rounds) => {
  const plan = planOf(name, extent)
  expect(plan === undefined ? 'left out' : (plan.rounds ?? 'its own')).toBe(rounds)
})
