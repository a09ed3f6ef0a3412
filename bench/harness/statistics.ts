import { assert } from '../../packages/faults/fault.ts'

export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

/** Between two values the line between them is read, so that the median of 1 and 2 is 1.5. */
export function percentile(values: readonly number[], percent: number): number {
  assert(values.length > 0, 'a percentile of nothing does not exist')
  const sorted = Float64Array.from(values).sort()
  const place = ((sorted.length - 1) * percent) / 100
  const below = sorted[Math.floor(place)] ?? 0
  const above = sorted[Math.ceil(place)] ?? 0
  return below + (above - below) * (place - Math.floor(place))
}

/** Three significant digits: what a benchmark on a shared machine can claim. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
