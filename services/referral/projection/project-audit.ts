import type { AuditEvent } from '../../../packages/fhir/r4.ts'
import { parseReference } from '../../../packages/fhir/reference.ts'
import { auditIds, clientIds, subjectIds } from '../../../ports/fhir-store/write-audit-events.ts'
import type { AuditRecord } from '../store/audit-events.ts'
import { serviceRequestId } from './project-referral.ts'

/** One audited call as a FHIR AuditEvent. */
export function projectAudit(record: AuditRecord): AuditEvent {
  return {
    resourceType: 'AuditEvent',
    meta: { tag: [{ system: auditIds, code: record.id }] },
    type: {
      system: 'http://terminology.hl7.org/CodeSystem/audit-event-type',
      code: 'rest',
      display: 'RESTful Operation',
    },
    subtype: [{ system: 'urn:corridor:referral-action', code: record.action }],
    action: record.action === 'create' ? 'C' : looks.has(record.action) ? 'R' : 'U',
    recorded: record.at,
    outcome: record.outcome === 'success' ? '0' : '4',
    agent: [
      {
        who: { identifier: { system: subjectIds, value: record.subject } },
        requestor: true,
        ...(record.peer === null ? {} : { network: { address: record.peer, type: '2' } }),
      },
      { who: { identifier: { system: clientIds, value: record.clientId } }, requestor: false },
    ],
    source: { observer: { display: 'Corridor referral service' } },
    entity: [
      ...patientIn(record),
      ...(record.referralId === null
        ? []
        : [{ what: { reference: `ServiceRequest/${serviceRequestId(record.referralId)}` } }]),
      ...(record.list === undefined
        ? []
        : [{ what: { identifier: { system: 'urn:corridor:referral-list', value: record.list } } }]),
      ...(record.requestId === null
        ? []
        : [{ what: { identifier: { system: 'urn:corridor:request-id', value: record.requestId } } }]),
    ],
  }
}

/** Whoever asks for the referrals of what is no patient's id has asked about nobody, and is written down all the same. */
const patientIn = ({ patientId }: AuditRecord) =>
  patientId !== null && parseReference(patientId).kind === 'relative' ? [{ what: { reference: patientId } }] : []

const looks: ReadonlySet<string> = new Set(['read', 'list', 'gate'])
