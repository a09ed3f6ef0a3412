import type { Ids } from '../../../packages/clock/ids.ts'

/** `20260304-101500123-CENTRAL-9f3b2c81d4e7`: time, sender and chance, so that ids sort by the time of receipt. */
export function makeTransactionId(sender: string, at: Date, ids: Ids): string {
  const chance = ids.uuid().replaceAll('-', '').slice(-12)
  return `${idAt(at)}-${nameOf(sender)}-${chance}`
}

/** How the ids of an instant begin: below each of them and above all before it, so times are ranges of ids. */
export const idAt = (at: Date): string =>
  at
    .toISOString()
    .replaceAll(/[-:.Z]/g, '')
    .replace('T', '-')

/** How the ids of a minute begin: `20260304-1015`. */
export const minuteOf = (at: Date): string => idAt(at).slice(0, 13)

/** Below every id of a day in UTC, `2026-03-04`, and above all before it. */
export const firstIdOf = (day: string): string => day.replaceAll('-', '')

/** Behind every id of the day, and before those of the next: the sign after the day is a dash, and this one is later. */
export const endOf = (day: string): string => `${firstIdOf(day)}~`

const nameOf = (sender: string): string => sender.replaceAll(/[^A-Za-z0-9_.]/g, '').slice(0, 20) || 'UNKNOWN'
