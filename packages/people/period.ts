import type { Period } from '../fhir/r4.ts'

/** Whether its last day is past. Days are compared as exactly as they are known: what ends in a month lasts through it. */
export function isOver(period: Period | undefined, now: Date): boolean {
  const end = period?.end?.slice(0, 10)
  return end !== undefined && end < asExactly(end, now)
}

export function hasBegun(period: Period | undefined, now: Date): boolean {
  const start = period?.start?.slice(0, 10)
  return start === undefined || start <= asExactly(start, now)
}

const asExactly = (date: string, now: Date): string => now.toISOString().slice(0, date.length)
