import type { Ids } from '../../../packages/clock/ids.ts'

/** `20260304-101500123-CENTRAL-9f3b2c81d4e7`: time, sender and chance, so that ids sort by the time of receipt. */
export function makeTransactionId(sender: string, at: Date, ids: Ids): string {
  const [day = '', time = ''] = at
    .toISOString()
    .replaceAll(/[-:.Z]/g, '')
    .split('T')
  const chance = ids.uuid().replaceAll('-', '').slice(-12)
  return `${day}-${time}-${nameOf(sender)}-${chance}`
}

/** Below every id of that instant and after it: days and times are ranges of ids. */
export const firstIdOf = (at: Date): string => at.toISOString().slice(0, 10).replaceAll('-', '')

const nameOf = (sender: string): string => sender.replaceAll(/[^A-Za-z0-9_.]/g, '').slice(0, 20) || 'UNKNOWN'
