import { later } from '../../../packages/clock/later.ts'
import { Batcher } from '../../../packages/sql/batcher.ts'
import type { Database } from '../../../packages/sql/database.ts'
import type { Signer } from '../../../packages/tokens/signer.ts'
import type { AuditDeps } from '../audit/audit.ts'
import type { AuthSettings } from '../settings.ts'
import {
  swappedTokens,
  swapRefreshTokens,
  type PresentedToken,
  type SwappedToken,
  type SwapTimes,
} from '../store/refresh-tokens.ts'
import { whileSigning } from './while-signing.ts'

export type RefreshSwaps = Batcher<PresentedToken, SwappedToken | undefined>

interface SwapDeps extends Pick<AuditDeps, 'clock' | 'auditTrail'> {
  readonly database: Database
  readonly settings: AuthSettings
  readonly signer: Signer
}

/** Tokens that come at the same time are swapped, and that written down, in one transaction. */
export function refreshSwaps(deps: SwapDeps): RefreshSwaps {
  const { database, clock, settings, auditTrail } = deps
  return new Batcher({
    writers: 1,
    gather: whileSigning(deps),
    // A token that comes twice has its turn once more after the others.
    keysOf: ({ tokenHash }) => [tokenHash],
    write: (tokens) =>
      database.transaction(
        async (tx) => {
          const ids = tokens.map(({ auditId }) => auditId)
          const swapping = swapRefreshTokens(tokens, swapTimes(clock.now(), settings))
          const [rows = []] = await tx.commitWith([swapping, ...auditTrail.announcing(ids, tx)])
          return swappedTokens(tokens, rows)
        },
        { plans: 'kept' },
      ),
  })
}

function swapTimes(now: Date, settings: AuthSettings): SwapTimes {
  return {
    now,
    idleUntil: later(now, settings.refreshIdleSeconds),
    reusableSince: reusableSince(now, settings),
  }
}

/** A token that was swapped after this may come once more; null where none may. */
export function reusableSince(now: Date, { refreshReuseLeewaySeconds: leeway }: AuthSettings): Date | null {
  return leeway === 0 ? null : later(now, -leeway)
}
