import { timeRangeOf } from '../date.ts'
import type { Convert, IndexValue } from './index-value.ts'

export function dateConvert(type: string): Convert | undefined {
  switch (type) {
    case 'date':
    case 'dateTime':
    case 'instant':
      return convertDate
    case 'Period':
      return convertPeriod
    case 'Timing':
      return convertTiming
    default:
      return undefined
  }
}

function convertDate(node: unknown, into: IndexValue[]): void {
  const range = typeof node === 'string' ? timeRangeOf(node) : undefined
  if (range !== undefined) into.push({ kind: 'date', low: range.low, high: range.high })
}

function convertPeriod(node: unknown, into: IndexValue[]): void {
  if (typeof node !== 'object' || node === null) return
  const { start, end } = node as { start?: unknown; end?: unknown }
  const first = typeof start === 'string' ? timeRangeOf(start) : undefined
  const last = typeof end === 'string' ? timeRangeOf(end) : undefined
  if (first === undefined && last === undefined) return
  into.push({ kind: 'date', low: first?.low ?? -Infinity, high: last?.high ?? Infinity })
}

/** The outer limits: R4 searches a schedule as the time from its first to its last event, not by each of them. */
function convertTiming(node: unknown, into: IndexValue[]): void {
  if (typeof node !== 'object' || node === null) return
  const { event, repeat } = node as { event?: unknown; repeat?: { boundsPeriod?: unknown } }
  const found: IndexValue[] = []
  if (Array.isArray(event)) for (const time of event) convertDate(time, found)
  convertPeriod(repeat?.boundsPeriod, found)
  let low = Infinity
  let high = -Infinity
  for (const value of found) {
    if (value.kind !== 'date') continue
    low = Math.min(low, value.low)
    high = Math.max(high, value.high)
  }
  if (found.length > 0) into.push({ kind: 'date', low, high })
}
