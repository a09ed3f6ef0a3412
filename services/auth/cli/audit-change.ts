import type { Transaction } from '../../../packages/sql/database.ts'
import { auditAllIn, endedEvents } from '../audit/audit.ts'
import type { EndedGrant, EndedOwnGrant } from '../store/grants.ts'
import { auditDeps, type CliDeps } from './cli-deps.ts'

interface AccountChange {
  /** A person by the name as it is kept, however it was typed: they are found by it when the event is read. */
  readonly account: { readonly username: string } | { readonly clientId: string }
  readonly reason: string
  readonly ended?: readonly (EndedGrant | EndedOwnGrant)[]
}

/** Writes down what a command did to an account, who ran it, and what ended with it. */
export function auditChange(tx: Transaction, change: AccountChange, deps: CliDeps): Promise<void> {
  const { account, reason, ended = [] } = change
  const { operator } = deps
  const changed = { event: 'account changed', ...account, reason, operator } as const
  return auditAllIn(tx, [changed, ...endedEvents(ended, { reason, operator })], auditDeps(deps))
}
