import type { Comparison } from './compare.ts'
import type { Result } from './result.ts'

/** A table for people: one line a variant, numbers to the right. */
export function comparisonTable(comparisons: readonly Comparison[]): string {
  const rows = [
    ['benchmark', 'variant', 'unit', 'before', 'after', 'after/before', 'ratio before', 'ratio after', ''],
    ...comparisons.map(rowOf),
  ]
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lineOf = (row: readonly string[]) =>
    row.map((cell, column) =>
      isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    )
  return rows.map((row) => lineOf(row).join('  ').trimEnd()).join('\n')
}

const isNumber = (column: number) => column >= 3 && column <= 7

function rowOf({ benchmark, variant, unit, before, after, change, verdict }: Comparison): string[] {
  const figure = (result: Result | undefined) =>
    result === undefined ? '-' : `${result.median} (${result.min}–${result.max})`
  const ratio = (result: Result | undefined) => (result === undefined ? '-' : `×${result.ratio}`)
  const changed = change === undefined ? '-' : `×${change.toFixed(2)}`
  return [benchmark, variant, unit, figure(before), figure(after), changed, ratio(before), ratio(after), verdict]
}
