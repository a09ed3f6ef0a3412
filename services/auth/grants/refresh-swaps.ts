import { Batcher } from '../../../packages/sql/batcher.ts'
import type { Database, Transaction } from '../../../packages/sql/database.ts'
import { auditAndCommit, type AuditDeps, type Audited } from '../audit.ts'
import { gatherMs } from './code-exchanges.ts'
import { later, type AuthSettings } from '../settings.ts'
import { swapRefreshTokens, type PresentedToken, type SwappedToken } from '../store/refresh-tokens.ts'

export type RefreshSwaps = Batcher<Swap, SwappedToken | undefined>

interface Swap extends PresentedToken {
  readonly about: Omit<Audited, 'event' | 'outcome'>
}

interface SwapDeps extends AuditDeps {
  readonly database: Database
  readonly settings: AuthSettings
}

/** Tokens that come at the same time are swapped, and that written down, in one transaction. */
export function refreshSwaps(deps: SwapDeps): RefreshSwaps {
  return new Batcher({
    writers: 1,
    gather: () => deps.clock.sleep(gatherMs),
    write: (swaps) =>
      deps.database.transaction(
        async (tx) => {
          const swapped = await swapAll(swaps, tx, deps)
          const told = swaps.flatMap(({ about }, at) => {
            const one = swapped[at]
            if (one === undefined) return []
            return [{ ...about, event: 'token refreshed', grantId: one.grant.id, subject: one.user.subject } as const]
          })
          await auditAndCommit(tx, told, deps)
          return swapped
        },
        { plans: 'kept' },
      ),
  })
}

/** A token that is there twice has its turn once more after the others, as if it had come later. */
async function swapAll(
  swaps: readonly Swap[],
  tx: Transaction,
  { clock, settings }: SwapDeps,
): Promise<(SwappedToken | undefined)[]> {
  const now = clock.now()
  const { refreshIdleSeconds, refreshReuseLeewaySeconds: leeway } = settings
  const times = {
    now,
    idleUntil: later(now, refreshIdleSeconds),
    reusableSince: leeway === 0 ? null : later(now, -leeway),
  }
  const once = swaps.filter(({ tokenHash }, at) => swaps.findIndex((swap) => swap.tokenHash === tokenHash) === at)
  const answers = await swapRefreshTokens(once, times, tx)
  const swapped = new Map(once.map((swap, at) => [swap, answers[at]]))
  for (const again of swaps.filter((swap) => !swapped.has(swap))) {
    swapped.set(again, (await swapRefreshTokens([again], times, tx))[0])
  }
  return swaps.map((swap) => swapped.get(swap))
}
