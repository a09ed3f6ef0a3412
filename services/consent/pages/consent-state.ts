import type { ConsentRecord } from '../record/consent-record.ts'

/** Where a record stands on a day. Only revoking is stored; the rest follows from its period. */
export type ConsentState = 'active' | 'waiting' | 'ended' | 'revoked'

export function stateOn(
  today: string,
  { status, periodStart, periodEnd }: Pick<ConsentRecord, 'status' | 'periodStart' | 'periodEnd'>,
): ConsentState {
  if (status === 'inactive') return 'revoked'
  if (periodEnd !== null && periodEnd < today) return 'ended'
  return periodStart !== null && today < periodStart ? 'waiting' : 'active'
}

export const isOver = (state: ConsentState): boolean => state === 'ended' || state === 'revoked'
