import { later } from '../../../packages/clock/later.ts'
import { Batcher } from '../../../packages/sql/batcher.ts'
import type { Database } from '../../../packages/sql/database.ts'
import type { Signer } from '../../../packages/tokens/signer.ts'
import type { AuditDeps } from '../audit/audit.ts'
import type { AuthSettings } from '../settings.ts'
import { exchangeCodes, takenCodes, type PresentedCode, type TakenCode } from '../store/exchange-codes.ts'
import { whileSigning } from './while-signing.ts'

export type CodeExchanges = Batcher<PresentedCode, TakenCode | undefined>

interface ExchangeDeps extends Pick<AuditDeps, 'clock' | 'auditTrail'> {
  readonly database: Database
  readonly settings: AuthSettings
  readonly signer: Signer
}

/** Codes that come at the same time are exchanged, and that written down, in one transaction. */
export function codeExchanges(deps: ExchangeDeps): CodeExchanges {
  const { database, clock, settings, auditTrail } = deps
  return new Batcher({
    // One batch of ten costs a third of ten batches; and two at once might wait for each other's codes in a circle.
    writers: 1,
    gather: whileSigning(deps),
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
