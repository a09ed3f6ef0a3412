import { hash } from 'node:crypto'
import type { Merge } from '../../../ports/patient-index/merges/merge-table.ts'

export const evaluationOutcomes = ['PERMIT', 'DENY', 'NO_CONSENT'] as const
/** What is done with records. */
export const accessOutcomes = ['CREATED', 'CHANGED', 'REVOKED', 'SHOWN'] as const
/** How a call ended that got no decision: by the kind of its fault. */
const refusalOutcomes = ['UNAUTHENTICATED', 'FORBIDDEN', 'MALFORMED', 'FAILED'] as const

/** One row of the audit trail. Identifiers only: no name and no free text of a caller's has a place in it. */
export interface AuditEvent {
  readonly at: Date
  readonly event: 'evaluation' | 'access' | 'enumeration suspected' | 'record moved'
  readonly outcome:
    | (typeof evaluationOutcomes)[number]
    | (typeof accessOutcomes)[number]
    | (typeof refusalOutcomes)[number]
    | 'ALERT'
    | 'MOVED'
  readonly subject: string | null
  readonly clientId: string | null
  readonly peer: string | null
  readonly requestId: string | null
  /** That of a decision; of an access only the FHIR store knows it. */
  readonly decisionId: string | null
  readonly patientId: string | null
  readonly actorReferences: readonly string[]
  readonly resourceType: string | null
  readonly operation: string | null
  readonly purposeOfUse: string | null
  readonly asOf: string | null
  readonly recordId: number | null
  /** How many patients raised the alert. */
  readonly patientsSeen: number | null
}

/** That a caller asked about too many different patients in one window. */
export const enumerationSuspected = (caller: string, patients: number, at: Date): AuditEvent => ({
  ...{ at, event: 'enumeration suspected', outcome: 'ALERT', subject: caller, patientsSeen: patients },
  ...{ clientId: null, peer: null, requestId: null, decisionId: null, patientId: null, actorReferences: [] },
  ...{ resourceType: null, operation: null, purposeOfUse: null, asOf: null, recordId: null },
})

/** That a record is another patient's, who is the same person: told of whom it was, with whose it is now. */
export const recordMoved = ({ from, to }: Merge, recordId: number, at: Date): AuditEvent => ({
  ...{ at, event: 'record moved', outcome: 'MOVED', subject: 'system', patientId: from, actorReferences: [to] },
  ...{ recordId, clientId: null, peer: null, requestId: null, decisionId: null, patientsSeen: null },
  ...{ resourceType: null, operation: null, purposeOfUse: null, asOf: null },
})

/** A row in its place: what it says, and a hash over that and over the row before it. */
export interface ChainedEvent extends AuditEvent {
  readonly position: number
  readonly hash: string
}

/** Where a chain stands. */
export interface ChainHead {
  readonly length: number
  readonly hash: string
  /** How many of its rows are decisions. */
  readonly decisions: number
}

export const emptyChain: ChainHead = { length: 0, hash: '', decisions: 0 }

export function appendToChain(
  head: ChainHead,
  events: readonly AuditEvent[],
): { readonly rows: readonly ChainedEvent[]; readonly head: ChainHead } {
  const rows: ChainedEvent[] = []
  let { length, hash: previous, decisions } = head
  for (const event of events) {
    length++
    previous = hashOf(event, length, previous)
    if (isDecision(event)) decisions++
    rows.push({ ...event, position: length, hash: previous })
  }
  return { rows, head: { length, hash: previous, decisions } }
}

/** The order of the members is fixed for good: rows that are written carry hashes over it. */
export function hashOf(event: AuditEvent, position: number, previousHash: string): string {
  const said = [
    ...[previousHash, position, event.at.toISOString(), event.event, event.outcome, event.subject, event.clientId],
    ...[event.peer, event.requestId, event.decisionId, event.patientId, event.actorReferences, event.resourceType],
    ...[event.operation, event.purposeOfUse, event.asOf, event.recordId, event.patientsSeen],
  ]
  return hash('sha256', JSON.stringify(said))
}

const isDecision = ({ outcome }: AuditEvent) => evaluationOutcomes.some((decided) => decided === outcome)
