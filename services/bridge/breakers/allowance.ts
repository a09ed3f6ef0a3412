import type { BreakerRule, BreakerState } from './circuit-breaker.ts'

/** With how many parked messages at once the store may be tried: while it is half-open, as many as its circuit lets pass. */
export const allowanceIn = (state: BreakerState, { trialCalls }: Pick<BreakerRule, 'trialCalls'>): number =>
  ({ CLOSED: Number.POSITIVE_INFINITY, 'HALF-OPEN': trialCalls, OPEN: 0 })[state]
