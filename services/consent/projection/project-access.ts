import type { AuditEvent, AuditEventEntity } from '../../../packages/fhir/r4.ts'
import { auditIds, clientIds, subjectIds } from '../../../ports/fhir-store/write-audit-events.ts'
import type { accessOutcomes } from '../audit/audit-event.ts'
import type { ToldEvent } from '../audit/told-events.ts'
import { recordIdentifiers } from './project-consent.ts'

export interface ToldAccess extends ToldEvent {
  readonly outcome: (typeof accessOutcomes)[number]
}

/** What somebody did with records, or that they were shown them, as an AuditEvent. Ids only, as in the trail. */
export function projectAccess(access: ToldAccess): AuditEvent {
  const { id, at, subject, clientId, peer } = access
  const { action, code } = actions[access.outcome]
  return {
    resourceType: 'AuditEvent',
    meta: { tag: [{ system: auditIds, code: id }] },
    type: {
      system: 'http://terminology.hl7.org/CodeSystem/audit-event-type',
      code: 'rest',
      display: 'RESTful Operation',
    },
    subtype: [{ system: 'urn:corridor:consent-action', code }],
    action,
    recorded: at,
    outcome: '0',
    agent: [
      {
        who: { identifier: { system: subjectIds, value: subject ?? 'unknown' } },
        requestor: true,
        ...(peer === null ? {} : { network: { address: peer, type: '2' } }),
      },
      { who: { identifier: { system: clientIds, value: clientId ?? 'unknown' } }, requestor: false },
    ],
    source: { observer: { display: 'Corridor consent service' } },
    entity: entitiesOf(access),
  }
}

const actions = {
  CREATED: { action: 'C', code: 'create' },
  CHANGED: { action: 'U', code: 'change' },
  REVOKED: { action: 'U', code: 'revoke' },
  SHOWN: { action: 'R', code: 'read' },
} as const

function entitiesOf({ patientId, recordId, actorReferences, requestId }: ToldAccess): AuditEventEntity[] {
  return [
    ...(patientId === null ? [] : [{ what: { reference: patientId } }]),
    ...actorReferences.map((organisation) => ({ what: { reference: organisation } })),
    ...(recordId === null
      ? []
      : [{ what: { type: 'Consent', identifier: { system: recordIdentifiers, value: String(recordId) } } }]),
    ...(requestId === null ? [] : [{ what: { identifier: { system: 'urn:corridor:request-id', value: requestId } } }]),
  ]
}
