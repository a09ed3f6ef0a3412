import type { Machine } from '../machine.ts'
import type { Result } from '../result.ts'
import { drawnBar, figureText } from './bars.ts'
import { goals, isMet, type Goal } from './goals.ts'
import { growthIn } from './growth.ts'
import { resultOf, resultsIn, type Measured } from './measured.ts'
import type { Extent } from './plan.ts'
import { isOfStage, stageShares } from './stage-shares.ts'
import { table } from './table.ts'

export interface Report {
  readonly extent: Extent
  readonly machine: Machine
  readonly commit: string | null
  /** `2026-11-15`. */
  readonly date: string
  readonly measured: readonly Measured[]
}

/** The report as Markdown. The same results give the same text, to the letter. */
export function writeReport(report: Report): string {
  const results = resultsIn(report.measured)
  const parts = [
    head(report, results),
    goalTable(results, report.measured),
    limits(results),
    stageShares(results),
    growthTable(results),
    ...report.measured.map(benchmarkPart),
    ending,
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function head({ extent, machine, commit, date, measured }: Report, results: readonly Result[]): string {
  const failed = measured.filter(({ outcome }) => outcome.is === 'failed').map(({ benchmark }) => `\`${benchmark}\``)
  const syncs = resultOf(results, 'machine-limits', 'disk syncs of 8 KiB')?.median
  const rows = [
    ['Date', date],
    ['Commit', commitsOf(results) || (commit ?? 'unknown')],
    ['Extent', `${extent} (\`npm run bench:report${extent === 'usual' ? '' : ` -- --${extent}`}\`)`],
    ['Processor', `${machine.cpu}, ${machine.cores} cores`],
    ['Memory', `${machine.memoryGiB} GiB`],
    ['System', `${machine.os}, Node ${machine.node}`],
    ['Disk', syncs === undefined ? 'not measured' : `${figureText(syncs)} syncs a second`],
    ['Failed', failed.length === 0 ? 'nothing' : failed.join(', ')],
  ]
  return `# Performance

Written by \`npm run bench:report\`; do not edit. Both ends of everything run on this one machine, and the database is the
embedded PostgreSQL with its durable settings. Trust the ratios: they are taken within each round and hold on a busy
machine. The figures themselves are of this machine only.${results.length === 0 ? '\n\n**Nothing has been measured yet.**' : ''}

${table(['', ''], rows)}`
}

const commitsOf = (results: readonly Result[]): string =>
  [...new Set(results.flatMap((result) => result.commit ?? []))].join(', ')

function goalTable(results: readonly Result[], measured: readonly Measured[]): string {
  const rows = goals.map((goal) => {
    const value = goal.measure(results)
    const asked = `${goal.least === undefined ? 'at most' : 'at least'} ${figureText(goal.least ?? goal.most ?? 0)} ${goal.unit}`
    const isRun = measured.some(({ benchmark }) => benchmark === goal.benchmark)
    return isRun ? [[goal.about, asked, value === undefined ? '–' : figureText(value), verdict(goal, value)]] : []
  })
  return rows.flat().length === 0
    ? ''
    : `## Goals\n\nAsked for on two cores.\n\n${table(['what', 'goal', 'measured', ''], rows.flat())}`
}

function verdict(goal: Goal, value: number | undefined): string {
  if (value === undefined) return 'not measured'
  if (isMet(goal, value)) return '✓ met'
  const share = goal.least === undefined ? (goal.most ?? 0) / value : value / goal.least
  return `✗ ${Math.round(share * 100)} % of it`
}

function limits(results: readonly Result[]): string {
  const own = results.filter(({ benchmark }) => benchmark === 'machine-limits')
  if (own.length === 0) return ''
  const most = Math.max(...own.map(({ median }) => median))
  const rows = own.map(({ variant, median, min, max }) => [variant, spread(median, min, max), drawnBar(median, most)])
  return `## The limits of this machine\n\nWhat it does with nothing of Corridor around it, a second.\n\n${table(['what', 'a second', ''], rows)}`
}

function growthTable(results: readonly Result[]): string {
  const found = growthIn(results)
  if (found.length === 0) return ''
  const most = Math.max(2, ...found.map(({ costs }) => costs))
  const rows = found.map(({ benchmark, work, few, many, fewSize, manySize, costs }) => [
    `\`${benchmark}\``,
    work,
    `${figureText(few.median)} (${fewSize})`,
    `${figureText(many.median)} (${manySize})`,
    `×${figureText(costs)}`,
    drawnBar(costs, most),
  ])
  const text = 'What one piece of work costs among many, by what it costs among few: ×1 is flat.'
  return `## How cost grows with data\n\n${text}\n\n${table(['benchmark', 'work', 'a second among few', 'among many', 'costs', ''], rows)}`
}

function benchmarkPart({ benchmark, title, outcome }: Measured): string {
  const heading = `## ${benchmark}\n\n${sentence(title)}`
  if (outcome.is === 'left out') return `${heading}\n\nLeft out of this report.`
  if (outcome.is === 'failed') return `${heading}\n\n**Failed:** ${outcome.reason}`
  const [first] = outcome.results
  const most = Math.max(...outcome.results.map(({ median }) => median))
  const rows = outcome.results.map(({ variant, median, min, max, ratio, p50Ms, p99Ms }) => [
    variant,
    spread(median, min, max),
    `×${figureText(ratio)}`,
    p50Ms === null ? '–' : figureText(p50Ms),
    p99Ms === null ? '–' : figureText(p99Ms),
    drawnBar(median, most),
  ])
  const rounds = first?.rounds === 1 ? '1 round' : `${first?.rounds ?? 0} rounds`
  // Its own, since a report may be put together from several runs.
  const [date, commit] = [first?.time.slice(0, 10), first?.commit?.slice(0, 12) ?? 'unknown']
  const from = `${rounds} in ${outcome.tookSeconds} s, ${date}, commit ${commit}.`
  const heads = ['', first?.unit ?? '', 'ratio', 'p50 ms', 'p99 ms', '']
  return [heading, table(heads, rows), ...notesIn(outcome.results), from].join('\n\n')
}

function notesIn(results: readonly Result[]): string[] {
  const names = [...new Set(results.flatMap(({ notes = {} }) => Object.keys(notes)))].filter((name) => !isOfStage(name))
  if (names.length === 0) return []
  const cell = (value: number | undefined) => (value === undefined ? '–' : figureText(value))
  const rows = results
    .filter(({ notes }) => notes !== undefined)
    .map(({ variant, notes }) => [variant, ...names.map((name) => cell(notes?.[name]))])
  return ['Noted beside it:', table(['', ...names], rows)]
}

const ending = `## Make it again

\`\`\`
npm run bench:report              the usual report, about twenty minutes on a quiet machine
npm run bench:report -- --quick   a look, in two minutes, without the benchmarks that need large data
npm run bench:report -- --full    everything with its own rounds and a million resources, some hours
\`\`\`

[bench/README.md](../bench/README.md) says what each benchmark asks and how a ratio is taken.`

const spread = (median: number, min: number, max: number): string =>
  min === max ? figureText(median) : `${figureText(median)} (${figureText(min)}–${figureText(max)})`

const sentence = (title: string): string => `${title.slice(0, 1).toUpperCase()}${title.slice(1)}.`
