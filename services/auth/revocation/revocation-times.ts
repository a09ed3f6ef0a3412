import type { Clock } from '../../../packages/clock/clock.ts'
import { later } from '../settings.ts'
import type { RevocationTimes } from '../store/grants.ts'

/** An access token lives an hour at most, and verifiers allow a minute of difference between clocks. */
const rememberedSeconds = 3_600 + 300

export function revocationTimes({ clock }: { readonly clock: Clock }): RevocationTimes {
  const now = clock.now()
  return { now, forgetAt: later(now, rememberedSeconds) }
}
