import type { Clock } from '../../../packages/clock/clock.ts'
import { later } from '../../../packages/clock/later.ts'
import type { RevocationTimes } from '../store/grants.ts'

/** An access token lives an hour at most. */
export const accessSecondsMax = 3_600

/** Verifiers allow a minute of difference between clocks. */
const leewaySeconds = 300

/** Of a grant, whose last token may just have been made. */
export function revocationTimes({ clock }: { readonly clock: Clock }): RevocationTimes {
  const now = clock.now()
  return { now, forgetAt: later(now, accessSecondsMax + leewaySeconds) }
}

/** Of a single token: what has ended by itself need not stand on the list that every service reads. */
export function tokenRevocationTimes(expiresAt: Date, { clock }: { readonly clock: Clock }): RevocationTimes {
  return { now: clock.now(), forgetAt: later(expiresAt, leewaySeconds) }
}
