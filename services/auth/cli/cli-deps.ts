import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import type { Sealer } from '../../../packages/keys/sealer.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { Outbox } from '../../../packages/sql/tasks/outbox.ts'
import { AuditTrail, type AuditDeps } from '../audit/audit.ts'
import { passwordCost, type PasswordCost } from '../secrets/password.ts'
import type { Source } from '../store/users.ts'

/** What the commands of the command line work with: the database of a running or resting Corridor. */
export interface CliDeps {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly mode: 'demo' | 'production'
  /** Who runs the command, for the audit trail: `os:<user>`. */
  readonly operator: string
  /** The configuration's auth.auditToFhir. */
  readonly auditToFhir: boolean
  /** The configuration's auth.loopbackKeySets. */
  readonly allowsLoopbackKeySets: boolean
  /** With the key in the configuration's auth.keyDirectory. */
  readonly sealer: Sealer
  readonly passwordCost?: PasswordCost
}

export function auditDeps({ database, clock, ids, log, auditToFhir }: CliDeps): AuditDeps {
  const outbox = new Outbox({ database, clock, ids, log })
  return { clock, ids, auditTrail: new AuditTrail({ database, outbox, toFhir: auditToFhir }) }
}

/** Whose accounts a start declares in this mode: those of the demo stay shut out of production. */
export const declaringSources = ({ mode }: CliDeps): readonly Source[] =>
  mode === 'demo' ? ['configuration', 'demo'] : ['configuration']

export const costOf = (deps: CliDeps): PasswordCost => deps.passwordCost ?? passwordCost
