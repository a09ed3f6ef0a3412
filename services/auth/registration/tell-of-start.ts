import { later } from '../../../packages/clock/later.ts'
import type { Transaction } from '../../../packages/sql/database.ts'
import { auditAllIn, type AuditDeps, type Audited } from '../audit/audit.ts'

/**
 * Writes what a start has changed into the audit trail. The FHIR store may be starting beside this server: it hears of it
 * a little later, for at once each event would fail first.
 */
export const tellOfStart = (tx: Transaction, audited: readonly Audited[], deps: AuditDeps): Promise<void> =>
  auditAllIn(
    tx,
    audited.map((one) => ({ ...one, operator: 'configuration' })),
    deps,
    later(deps.clock.now(), storeStartSeconds),
  )

const storeStartSeconds = 30

/** Why grants end at a start. */
export const declaredAnew = { reason: 'declared otherwise than before' }
export const declaredNoMore = { reason: 'no longer declared' }
