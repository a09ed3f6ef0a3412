import type { Clock } from '../../../packages/clock/clock.ts'
import { later } from '../../../packages/clock/later.ts'
import type { TellRevoked } from '../../../packages/tokens/revocation-list.ts'
import type { Revoking } from '../store/grants.ts'

/** An access token lives an hour at most. */
export const accessSecondsMax = 3_600

/** Verifiers allow a minute of difference between clocks. */
const leewaySeconds = 300

interface RevokingDeps {
  readonly clock: Clock
  /** Who runs in this process and wants to know; a command has nobody to tell. */
  readonly tellRevoked?: TellRevoked | undefined
}

/** Of a grant, whose last token may just have been made. */
export function revoking({ clock, tellRevoked = nobody }: RevokingDeps): Revoking {
  const now = clock.now()
  return { now, forgetAt: later(now, accessSecondsMax + leewaySeconds), tell: tellRevoked }
}

/** Of a single token: what has ended by itself need not stand on the list that every service reads. */
export function revokingToken(expiresAt: Date, { clock, tellRevoked = nobody }: RevokingDeps): Revoking {
  return { now: clock.now(), forgetAt: later(expiresAt, leewaySeconds), tell: tellRevoked }
}

const nobody: TellRevoked = () => {}
