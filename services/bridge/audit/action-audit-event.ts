import type { AuditEvent, AuditEventEntity } from '../../../ports/fhir-store/resources.ts'
import { auditIds, clientIds, subjectIds } from '../../../ports/fhir-store/write-audit-events.ts'
import type { ActionRecord } from './operator-action.ts'

/** An action as an AuditEvent. A transaction is named as the events of its message name it. */
export function actionAuditEvent(record: ActionRecord, { sourceId }: { readonly sourceId: string }): AuditEvent {
  const { id, at, did, outcome, reason, subject, clientId, peer } = record
  return {
    resourceType: 'AuditEvent',
    meta: { tag: [{ system: auditIds, code: id }] },
    type: {
      system: 'http://dicom.nema.org/resources/ontology/DCM',
      code: '110100',
      display: 'Application Activity',
    },
    subtype: [{ system: 'urn:corridor:bridge-action', code: did }],
    action: 'E',
    recorded: at,
    outcome,
    ...(reason === undefined ? {} : { outcomeDesc: reason }),
    agent: [
      {
        who: { identifier: { system: subjectIds, value: subject } },
        requestor: true,
        network: { address: peer === '' ? 'unknown' : peer, type: '2' },
      },
      { who: { identifier: { system: clientIds, value: clientId } }, requestor: false },
    ],
    source: {
      observer: { display: sourceId },
      type: [{ system: 'http://terminology.hl7.org/CodeSystem/security-source-type', code: '4' }],
    },
    entity: [...actedOn(record), request(record)],
  }
}

function actedOn({ to }: ActionRecord): AuditEventEntity[] {
  if (to === undefined) return []
  const { kind, id: value } = to
  if (kind !== 'transaction') return [{ what: { identifier: { system: `urn:corridor:bridge:${kind}`, value } } }]
  const system = 'https://profiles.ihe.net/ITI/BALP/CodeSystem/BasicAuditEntityType'
  return [{ what: { identifier: { value } }, type: { system, code: 'XrequestId' } }]
}

/** FHIR knows no empty lists. */
const request = ({ requestId, details }: ActionRecord): AuditEventEntity => ({
  what: { identifier: { system: 'urn:corridor:request-id', value: requestId } },
  ...(details.length === 0 ? {} : { detail: details.map(([type, valueString]) => ({ type, valueString })) }),
})
