import { Batcher } from '../../../packages/sql/batcher.ts'
import type { Database } from '../../../packages/sql/database.ts'
import type { AuditDeps } from '../audit.ts'
import { later, type AuthSettings } from '../settings.ts'
import { exchangeCodes, takenCodes, type PresentedCode, type TakenCode } from '../store/exchange-codes.ts'

export type CodeExchanges = Batcher<PresentedCode, TakenCode | undefined>

interface ExchangeDeps extends Pick<AuditDeps, 'clock' | 'auditTrail'> {
  readonly database: Database
  readonly settings: AuthSettings
}

/** As long as a commit takes, so that under load a batch is twice as large. */
export const gatherMs = 5

/** Codes that come at the same time are exchanged, and that written down, in one transaction. */
export function codeExchanges({ database, clock, settings, auditTrail }: ExchangeDeps): CodeExchanges {
  return new Batcher({
    // One batch of ten costs a third of ten batches; and two at once might wait for each other's codes in a circle.
    writers: 1,
    gather: () => clock.sleep(gatherMs),
    write: (codes) =>
      database.transaction(
        async (tx) => {
          const now = clock.now()
          const times = { now, idleUntil: later(now, settings.refreshIdleSeconds) }
          const ids = codes.map(({ auditId }) => auditId)
          const [rows = []] = await tx.commitWith([exchangeCodes(codes, times), ...auditTrail.announcing(ids, tx)])
          return takenCodes(codes, rows)
        },
        { plans: 'kept' },
      ),
  })
}
