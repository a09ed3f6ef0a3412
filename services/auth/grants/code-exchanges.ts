import { Batcher } from '../../../packages/sql/batcher.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { auditAndCommit, type AuditDeps, type Audited } from '../audit.ts'
import { later, type AuthSettings } from '../settings.ts'
import { exchangeCodes, type PresentedCode, type TakenCode } from '../store/exchange-codes.ts'

export type CodeExchanges = Batcher<Exchange, TakenCode | undefined>

interface Exchange extends PresentedCode {
  readonly about: Omit<Audited, 'event' | 'outcome'>
}

interface ExchangeDeps extends AuditDeps {
  readonly database: Database
  readonly settings: AuthSettings
}

/** As long as a commit takes, so that under load a batch is twice as large. */
export const gatherMs = 5

/** Codes that come at the same time are exchanged, and that written down, in one transaction. */
export function codeExchanges(deps: ExchangeDeps): CodeExchanges {
  const { database, clock, settings } = deps
  return new Batcher({
    // One batch of ten costs a third of ten batches; and two at once might wait for each other's codes in a circle.
    writers: 1,
    gather: () => clock.sleep(gatherMs),
    write: (exchanges) =>
      database.transaction(
        async (tx) => {
          const now = clock.now()
          const times = { now, idleUntil: later(now, settings.refreshIdleSeconds) }
          const taken = await exchangeCodes(exchanges, times, tx)
          const told = exchanges.flatMap(({ about }, at) => {
            const one = taken[at]
            return one === undefined ? [] : [{ ...about, ...toldOf(one) }]
          })
          await auditAndCommit(tx, told, deps)
          return taken
        },
        { plans: 'kept' },
      ),
  })
}

function toldOf(taken: TakenCode): Audited {
  if (taken.is === 'refused') {
    return { event: 'code exchanged', outcome: 'failure', reason: taken.why, grantId: taken.grantId }
  }
  const { grant, user } = taken
  return { event: 'token issued', grantId: grant.id, subject: user.subject, patient: grant.patient ?? undefined }
}
