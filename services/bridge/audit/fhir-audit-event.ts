import type { AuditEvent, AuditEventAgent, AuditEventEntity, Coding } from '../../../ports/fhir-store/resources.ts'
import { auditIds } from '../../../ports/fhir-store/write-audit-events.ts'
import { base64 } from './base64.ts'
import { patientsOf, type AuditAction, type AuditRecord } from './audit-record.ts'
import { eventTypeOf } from './event-types.ts'

const terminology = 'http://terminology.hl7.org/CodeSystem'
const dicom = 'http://dicom.nema.org/resources/ontology/DCM'
const balp = 'https://profiles.ihe.net/ITI/BALP'

/** The record as an AuditEvent after IHE's Basic Audit Log Patterns. */
export function fhirAuditEvent(record: AuditRecord, { sourceId }: { readonly sourceId: string }): AuditEvent {
  const { id, action, at, outcome, reason, duplicateOf } = record
  const { pattern, interaction } = patterns[action]
  const said = reason ?? (duplicateOf === undefined ? undefined : `Duplicate of ${duplicateOf}`)
  // The patterns with a patient have room for one, the others for any number.
  const about = patientsOf(record).length === 1 ? 'Patient' : ''
  return {
    resourceType: 'AuditEvent',
    meta: {
      profile: [`${balp}/StructureDefinition/IHE.BasicAudit.${about}${pattern}`],
      tag: [{ system: auditIds, code: id }],
    },
    type: { system: `${terminology}/audit-event-type`, code: 'rest', display: 'Restful Operation' },
    subtype: [{ system: 'http://hl7.org/fhir/restful-interaction', code: interaction }, ...ihe(record.messageType)],
    action,
    recorded: at,
    outcome,
    ...(said === undefined ? {} : { outcomeDesc: said }),
    agent: agents(record),
    source: { observer: { display: sourceId }, type: [{ system: `${terminology}/security-source-type`, code: '4' }] },
    entity: entities(record),
  }
}

const patterns: Readonly<Record<AuditAction, { readonly pattern: string; readonly interaction: string }>> = {
  C: { pattern: 'Create', interaction: 'create' },
  U: { pattern: 'Update', interaction: 'update' },
  D: { pattern: 'Delete', interaction: 'delete' },
  E: { pattern: 'Query', interaction: 'search' },
}

function ihe(messageType: string): Coding[] {
  const known = eventTypeOf(messageType)
  return known === undefined ? [] : [{ system: 'urn:ihe:event-type-code', ...known }]
}

function agents({ source, destination, operator }: AuditRecord): AuditEventAgent[] {
  const role = (code: string, display: string) => ({ coding: [{ system: dicom, code, display }] })
  return [
    {
      type: role('110153', 'Source Role ID'),
      who: { identifier: { value: `${source.facility}|${source.application}` } },
      requestor: operator === undefined,
      network: { address: source.peer === '' ? 'unknown' : source.peer, type: '2' },
    },
    {
      type: role('110152', 'Destination Role ID'),
      who: { identifier: { value: `${destination.facility}|${destination.application}` } },
      requestor: false,
    },
    ...(operator === undefined ? [] : [{ who: { identifier: { value: operator } }, requestor: true }]),
  ]
}

function entities(record: AuditRecord): AuditEventEntity[] {
  const { resources, transactionId, messageType, controlId, action, query } = record
  const type = (code: string) => ({ system: `${terminology}/audit-entity-type`, code })
  const role = (code: string) => ({ system: `${terminology}/object-role`, code })
  return [
    ...patientsOf(record).map(({ patient }) => ({ what: { reference: patient }, type: type('1'), role: role('1') })),
    ...resources.map((reference) => ({ what: { reference }, type: type('2'), role: role('4') })),
    ...(action === 'E' ? [{ type: type('2'), role: role('24'), query: base64(query ?? messageType) }] : []),
    {
      what: { identifier: { value: transactionId } },
      type: { system: `${balp}/CodeSystem/BasicAuditEntityType`, code: 'XrequestId' },
      detail: [
        ...(messageType === '' ? [] : [{ type: 'MSH-9', valueString: messageType }]),
        ...(controlId === '' ? [] : [{ type: 'MSH-10', valueString: controlId }]),
      ],
    },
  ].map(withoutEmptyDetail)
}

/** FHIR knows no empty lists. */
function withoutEmptyDetail(entity: AuditEventEntity): AuditEventEntity {
  const { detail, ...rest } = entity
  return detail === undefined || detail.length === 0 ? rest : entity
}
