import type { Clock } from '../../../packages/clock/clock.ts'
import { faultOf, type Fault } from '../../../packages/faults/fault.ts'
import type { AccessOutcome, AuditedAccess, AuditedCaller, Interaction } from '../audit/audited-access.ts'
import { ofOneKind, touchedBy, type Answer, type AnsweredPart } from './answer.ts'

/** Where accesses are written down. */
export interface AuditTrail {
  /** Waits while too much is unwritten, and refuses when that does not end. */
  admit(): Promise<void>
  record(access: AuditedAccess): void
}

/** Who calls, for what. */
export interface Access {
  readonly interaction: Interaction
  readonly caller: AuditedCaller | undefined
  readonly requestId: string
  readonly peer?: string
  readonly question?: string | undefined
  /** What the call named, known before it is answered. */
  readonly named?: AuditedAccess['touched']
}

/** Records a call that was answered; of a bundle, its entries, those of one kind together. */
export function recordAnswer(access: Access, answer: Answer, deps: { audit: AuditTrail; clock: Clock }): void {
  if (answer.kind === 'made' && answer.parts !== undefined) {
    recordParts(access, answer.parts, deps)
    return
  }
  const touched = touchedBy(answer)
  deps.audit.record({
    ...common(access, deps.clock),
    outcome: { kind: 'success' },
    touched: touched.length === 0 && access.question === undefined ? (access.named ?? []) : touched,
    ...(access.question === undefined ? {} : { question: access.question }),
  })
}

/** Records what the entries of a bundle did, or asked. */
export function recordParts(
  access: Access,
  parts: readonly AnsweredPart[],
  deps: { audit: AuditTrail; clock: Clock },
): void {
  for (const { fault, ...part } of ofOneKind(parts)) {
    deps.audit.record({ ...common(access, deps.clock), ...part, outcome: outcomeOf(fault) })
  }
}

/** Records a call that was refused or failed. */
export function recordFault(access: Access, thrown: unknown, deps: { audit: AuditTrail; clock: Clock }): void {
  deps.audit.record({
    ...common(access, deps.clock),
    outcome: outcomeOf(faultOf(thrown)),
    touched: access.named ?? [],
    ...(access.question === undefined ? {} : { question: access.question }),
  })
}

function common({ interaction, caller, requestId, peer }: Access, clock: Clock) {
  return { at: clock.now(), interaction, caller, requestId, ...(peer === undefined ? {} : { peer }) }
}

function outcomeOf(fault: Fault | undefined): AccessOutcome {
  if (fault === undefined) return { kind: 'success' }
  const isOurs = fault.kind === 'bug' || fault.kind === 'unavailable'
  return { kind: isOurs ? 'failed' : 'refused', ...(fault.code === undefined ? {} : { code: fault.code }) }
}
