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

/** How much y grows with x, by least squares. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  assert(points.length > 1, 'one point has no slope')
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length
  const together = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  return together / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
}
