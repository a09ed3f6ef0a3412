import type { Fault, FaultKind } from '../../../packages/faults/fault.ts'
import type { Asker } from '../evaluate.ts'
import type { AuditEvent } from './audit-event.ts'

export type AskedIdentifiers = Pick<AuditEvent, 'patientId' | 'actorReferences' | 'resourceType' | 'operation'>

/** Whoever was refused, or could not put the question, has asked all the same. */
export function failedCall(fault: Fault, asker: Asker, asked: AskedIdentifiers, at: Date): AuditEvent {
  return {
    ...asker,
    ...asked,
    event: 'evaluation',
    at,
    outcome: outcomes[fault.kind] ?? 'FAILED',
    decisionId: null,
    purposeOfUse: null,
    asOf: null,
    recordId: null,
    patientsSeen: null,
  }
}

const outcomes: Partial<Record<FaultKind, AuditEvent['outcome']>> = {
  unauthenticated: 'UNAUTHENTICATED',
  forbidden: 'FORBIDDEN',
  incorrect: 'MALFORMED',
}
