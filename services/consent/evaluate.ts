import type { AccessRequest } from './access-request.ts'
import type { AuditEvent } from './audit/audit-event.ts'
import { decide, type Decision } from './decide.ts'
import type { ConsentDeps } from './deps.ts'
import type { DecidingRecord } from './record/consent-record.ts'
import { readCandidatesAsOf } from './store/candidates.ts'
import { dayIn } from '../../packages/clock/day-in.ts'
import type { IncomingRequest } from '../../packages/http/request.ts'
import type { Caller } from '../../packages/tokens/caller.ts'

/** Who asks, for the audit. */
export type Asker = Pick<AuditEvent, 'subject' | 'clientId' | 'peer' | 'requestId'>

export const askerOf = (caller: Caller | undefined, request: Pick<IncomingRequest, 'id' | 'peer'>): Asker => ({
  subject: caller?.subject ?? null,
  clientId: caller?.clientId ?? null,
  peer: request.peer,
  requestId: request.id,
})

export interface EvaluatedDecision extends Decision {
  readonly decisionId: string
  readonly evaluatedAt: Date
}

/** With the records that it was made from, for whoever explains it. */
interface Evaluation extends EvaluatedDecision {
  readonly records: readonly DecidingRecord[]
}

type EvaluateDeps = Pick<ConsentDeps, 'candidates' | 'database' | 'audit' | 'decisions' | 'settings' | 'clock' | 'ids'>

/**
 * The use case behind every road into the service: reads the records that have a say, decides, and writes down that it
 * was asked. With `asOf` the question is what the answer would have been at the end of that day.
 */
export async function evaluate(
  request: AccessRequest,
  asker: Asker,
  { candidates, database, audit, decisions, settings, clock, ids }: EvaluateDeps,
  asOf?: string,
): Promise<Evaluation> {
  audit.assertRoom()
  const { timeZone, implicitPolicy } = settings
  const records =
    asOf === undefined
      ? await candidates.read(request)
      : await readCandidatesAsOf(request, { day: asOf, timeZone }, database)
  // Once more: while the records were read, others may have taken the room.
  audit.assertRoom()
  const evaluatedAt = clock.now()
  const decision = decide(records, request, asOf ?? dayIn(timeZone, evaluatedAt), implicitPolicy)
  const decisionId = ids.timeUuid()
  decisions.inc({ outcome: decision.outcome })
  const event: AuditEvent = {
    ...asker,
    event: 'evaluation',
    at: evaluatedAt,
    outcome: decision.outcome,
    decisionId,
    patientId: request.patientId,
    actorReferences: request.actorReferences,
    resourceType: request.resourceType,
    operation: request.operation,
    purposeOfUse: request.purposeOfUse,
    asOf: asOf ?? null,
    recordId: decision.consentRecordId,
    patientsSeen: null,
  }
  if (settings.auditBeforeAnswer) await audit.addDurably(event)
  else audit.add(event)
  return { ...decision, decisionId, evaluatedAt, records }
}
