import { incorrect } from '../../packages/faults/fault.ts'
import type { Result } from './result.ts'

export interface Comparison {
  readonly benchmark: string
  readonly variant: string
  readonly unit: string
  readonly before: Result | undefined
  readonly after: Result | undefined
  /** After by before; undefined where one is missing. */
  readonly change: number | undefined
  readonly verdict: 'higher' | 'lower' | 'within the spread' | 'new' | 'gone'
}

/** Every variant of either run. A change counts only when the rounds of the two runs do not overlap. */
export function compareRuns(before: readonly Result[], after: readonly Result[]): Comparison[] {
  const keyOf = ({ benchmark, variant }: Result) => `${benchmark}\n${variant}`
  const earlier = new Map(before.map((result) => [keyOf(result), result]))
  const later = new Map(after.map((result) => [keyOf(result), result]))
  return [...new Set([...earlier.keys(), ...later.keys()])].map((key) => comparison(earlier.get(key), later.get(key)))
}

function comparison(before: Result | undefined, after: Result | undefined): Comparison {
  const either = after ?? before
  const { benchmark, variant, unit } = either ?? { benchmark: '', variant: '', unit: '' }
  const change = before === undefined || after === undefined ? undefined : after.median / before.median
  return { benchmark, variant, unit, before, after, change, verdict: verdictOf(before, after) }
}

function verdictOf(before: Result | undefined, after: Result | undefined): Comparison['verdict'] {
  if (before === undefined) return 'new'
  if (after === undefined) return 'gone'
  if (after.min > before.max) return 'higher'
  if (after.max < before.min) return 'lower'
  return 'within the spread'
}

/** What stands in the way of a fair comparison, in sentences. */
export function differencesOf(before: readonly Result[], after: readonly Result[]): string[] {
  const machines = new Set([...before, ...after].map(({ machine }) => JSON.stringify(machine)))
  return machines.size > 1 ? ['The runs are from different machines: compare the ratios, not the figures.'] : []
}

/** Reads the lines of a run; says which line is no result. */
export function readRun(text: string, file: string): Result[] {
  const lines = text.split('\n').map((line, index) => ({ line, number: index + 1 }))
  return lines.filter(({ line }) => line.trim() !== '').map(({ line, number }) => readResult(line, `${file}:${number}`))
}

function readResult(line: string, place: string): Result {
  const value = parsed(line)
  const isResult =
    typeof value === 'object' && value !== null && 'benchmark' in value && 'variant' in value && 'median' in value
  if (!isResult) throw incorrect(`${place} is not a benchmark result. Give files that npm run bench -- --out wrote.`)
  // Sound enough for a tool of our own: such lines come from resultsOf.
  return value as unknown as Result
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
