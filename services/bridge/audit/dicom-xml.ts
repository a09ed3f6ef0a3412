import { base64 } from './base64.ts'
import { patientsOf, type AuditRecord } from './audit-record.ts'
import { auditSource, coded, detail, participantObject, transaction, type AuditSource } from './dicom-parts.ts'
import { eventTypeOf } from './event-types.ts'
import { xml, type Markup } from './xml.ts'

/** The record as an AuditMessage of DICOM PS3.15 A.5, on one line. */
export function dicomXml(record: AuditRecord, source: AuditSource): string {
  const parts = [
    event(record),
    ...participants(record),
    auditSource(source),
    ...[...patientIds(record)].map((id) => patientObject(id, record, source)),
    ...(record.action === 'E' ? [queryObject(record)] : []),
    messageObject(record),
  ]
  return xml`<?xml version="1.0" encoding="UTF-8"?><AuditMessage>${parts}</AuditMessage>`.text
}

function event({ action, at, outcome, messageType, reason, duplicateOf }: AuditRecord): Markup {
  const said = reason ?? (duplicateOf === undefined ? undefined : 'Duplicate message')
  const parts = [
    action === 'E' ? xml`<EventID ${coded('110112', 'DCM', 'Query')}/>` : patientRecord,
    eventType(messageType),
    ...(said === undefined ? [] : [xml`<EventOutcomeDescription>${said}</EventOutcomeDescription>`]),
  ]
  return xml`<EventIdentification EventActionCode="${action}" EventDateTime="${at}" EventOutcomeIndicator="${outcome}">${parts}</EventIdentification>`
}

function eventType(messageType: string): Markup {
  const known = eventTypeOf(messageType)
  const type =
    known === undefined
      ? coded(messageType === '' ? 'unreadable' : messageType, 'HL7 v2', 'HL7 v2 message')
      : coded(known.code, 'IHE Transactions', known.display)
  return xml`<EventTypeCode ${type}/>`
}

function participants({ source, destination, operator, processId }: AuditRecord): Markup[] {
  const sender = `${source.facility}|${source.application}`
  const receiver = `${destination.facility}|${destination.application}`
  return [
    xml`<ActiveParticipant UserID="${sender}" UserIsRequestor="true" NetworkAccessPointID="${source.peer}" NetworkAccessPointTypeCode="2"><RoleIDCode ${sourceRole}/></ActiveParticipant>`,
    xml`<ActiveParticipant UserID="${receiver}" AlternativeUserID="${processId}" UserIsRequestor="false"><RoleIDCode ${destinationRole}/></ActiveParticipant>`,
    ...(operator === undefined ? [] : [xml`<ActiveParticipant UserID="${operator}" UserIsRequestor="true"/>`]),
  ]
}

/** Each patient by golden id where there is one. Of two records of one person, the second goes by its own: a merge. */
function patientIds(record: AuditRecord): Set<string> {
  const ids = new Set<string>()
  for (const { patient, goldenPatientId } of patientsOf(record)) {
    const own = patient.replace(/^Patient\//, '')
    ids.add(goldenPatientId === undefined || ids.has(goldenPatientId) ? own : goldenPatientId)
  }
  return ids
}

/** The id has the form of a CX. */
function patientObject(id: string, { controlId }: AuditRecord, { patientAuthority }: AuditSource): Markup {
  const authority = /^\d+(\.\d+)+$/.test(patientAuthority) ? `&${patientAuthority}&ISO` : patientAuthority
  return participantObject(`${id}^^^${authority}`, '1', '1', [
    xml`<ParticipantObjectIDTypeCode ${patientNumber}/>`,
    detail('MSH-10', controlId),
  ])
}

/** ITI-21 and ITI-9: what was asked, as QPD. */
const queryObject = ({ messageType, controlId, query }: AuditRecord) =>
  participantObject(controlId, '2', '24', [
    xml`<ParticipantObjectIDTypeCode ${coded(eventTypeOf(messageType)?.code ?? messageType, 'IHE Transactions', 'Query')}/>`,
    xml`<ParticipantObjectQuery>${base64(query ?? messageType)}</ParticipantObjectQuery>`,
    detail('MSH-10', controlId),
  ])

/** The message itself: by this a record is found again, and a repetition is told. */
const messageObject = ({ id, transactionId, controlId, messageType, duplicateOf, resources }: AuditRecord) =>
  participantObject(transactionId, '2', '20', [
    xml`<ParticipantObjectIDTypeCode ${transaction}/>`,
    detail('record', id),
    detail('MSH-9', messageType),
    detail('MSH-10', controlId),
    ...(duplicateOf === undefined ? [] : [detail('duplicate-of', duplicateOf)]),
    ...resources.slice(0, resourcesMax).map((reference) => detail('resource', reference)),
    ...(resources.length > resourcesMax ? [detail('resource-count', String(resources.length))] : []),
  ])

/**
 * Some fourteen kilobytes: repositories break off at a message that is too long for them. Of more it is said how many they
 * are; the AuditEvent has them all, and so has the transaction.
 */
const resourcesMax = 100

const patientRecord = xml`<EventID ${coded('110110', 'DCM', 'Patient Record')}/>`
const sourceRole = coded('110153', 'DCM', 'Source Role ID')
const destinationRole = coded('110152', 'DCM', 'Destination Role ID')
const patientNumber = coded('2', 'RFC-3881', 'Patient Number')
