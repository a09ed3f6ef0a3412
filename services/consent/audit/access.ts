import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import { askerOf } from '../evaluate.ts'
import type { accessOutcomes, AuditEvent } from './audit-event.ts'

/** Who asks, and in which request. */
export interface Call {
  readonly caller: Caller
  readonly request: Pick<IncomingRequest, 'id' | 'peer'>
}

/** What was shown or changed: one record, those of a patient, or those of an organisation. */
export interface Accessed {
  readonly patientId: string | null
  readonly recordId: number | null
  readonly organisation?: string
}

/** That somebody was shown records, or made, changed or revoked one. */
export function accessEvent(
  outcome: (typeof accessOutcomes)[number],
  { patientId, recordId, organisation }: Accessed,
  { caller, request }: Call,
  { id, at }: { readonly id: string; readonly at: Date },
): AuditEvent {
  return {
    ...askerOf(caller, request),
    ...{ at, event: 'access', outcome, decisionId: id, patientId, recordId },
    actorReferences: organisation === undefined ? [] : [organisation],
    ...{ resourceType: null, operation: null, purposeOfUse: null, asOf: null, patientsSeen: null },
  }
}
