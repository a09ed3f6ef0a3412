import type { Transaction } from '../../../packages/sql/database.ts'
import { auditIn } from '../audit/audit.ts'
import { auditDeps, type CliDeps } from './cli-deps.ts'

/** Writes down what a command did with work that was given up, and who ran it. */
export const auditWork = (tx: Transaction, reason: string, deps: CliDeps): Promise<void> =>
  auditIn(tx, { event: 'background work changed', reason, operator: deps.operator }, auditDeps(deps))
