import type { Random } from './ids.ts'

export interface Backoff {
  readonly baseMs: number
  readonly maxMs: number
  readonly multiplier: number
  /** 0.2 spreads each wait over 80 to 120 per cent of itself, so that many waiters do not return at once. */
  readonly jitter: number
}

export const defaultBackoff: Backoff = { baseMs: 1_000, maxMs: 300_000, multiplier: 2, jitter: 0.2 }

/** Others set their clocks and write their limits: nobody's slip of the pen may hold what waits for a year. */
const askedWaitMsMax = 3_600_000

/** As long as our own rule says, or as whoever was asked wants to be left alone (Retry-After), where that is longer. */
export const waitAsAskedMs = (ruleMs: number, askedMs = 0): number =>
  Math.max(ruleMs, Math.min(askedMs, askedWaitMsMax))

/** How long to wait after the given attempt (the first is 1) has failed. */
export function waitAfterAttemptMs(attempt: number, backoff: Backoff, random: Random): number {
  const plain = Math.min(backoff.baseMs * backoff.multiplier ** (attempt - 1), backoff.maxMs)
  return Math.round(plain * (1 - backoff.jitter + 2 * backoff.jitter * random.fraction()))
}
