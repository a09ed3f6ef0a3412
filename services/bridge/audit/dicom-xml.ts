import type { AuditRecord } from './audit-record.ts'
import { eventTypeOf } from './event-types.ts'

export interface AuditSource {
  /** Who tells: the bridge, and the site it stands at. */
  readonly sourceId: string
  readonly site: string | undefined
  /** The authority of patient ids: an OID, or a name. */
  readonly patientAuthority: string
}

/** The record as an AuditMessage of DICOM PS3.15 A.5, on one line. */
export function dicomXml(record: AuditRecord, source: AuditSource): string {
  const parts = [
    event(record),
    ...participants(record),
    auditSource(source),
    ...(record.patient === undefined ? [] : [patientObject(record, record.patient, source)]),
    ...(record.action === 'E' ? [queryObject(record)] : []),
    messageObject(record),
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>${element('AuditMessage', {}, parts)}`
}

function event({ action, at, outcome, messageType, reason, duplicateOf }: AuditRecord): string {
  const said = reason ?? (duplicateOf === undefined ? undefined : 'Duplicate message')
  return element(
    'EventIdentification',
    { EventActionCode: action, EventDateTime: at, EventOutcomeIndicator: outcome },
    [
      action === 'E' ? code('EventID', '110112', 'DCM', 'Query') : code('EventID', '110110', 'DCM', 'Patient Record'),
      eventType(messageType),
      ...(said === undefined ? [] : [element('EventOutcomeDescription', {}, [escaped(said)])]),
    ],
  )
}

function eventType(messageType: string): string {
  const known = eventTypeOf(messageType)
  if (known !== undefined) return code('EventTypeCode', known.code, 'IHE Transactions', known.display)
  return code('EventTypeCode', messageType === '' ? 'unreadable' : messageType, 'HL7 v2', 'HL7 v2 message')
}

function participants({ source, destination, operator, processId }: AuditRecord): string[] {
  return [
    element(
      'ActiveParticipant',
      {
        UserID: `${source.facility}|${source.application}`,
        UserIsRequestor: 'true',
        NetworkAccessPointID: source.peer,
        NetworkAccessPointTypeCode: '2',
      },
      [code('RoleIDCode', '110153', 'DCM', 'Source Role ID')],
    ),
    element(
      'ActiveParticipant',
      {
        UserID: `${destination.facility}|${destination.application}`,
        AlternativeUserID: processId,
        UserIsRequestor: 'false',
      },
      [code('RoleIDCode', '110152', 'DCM', 'Destination Role ID')],
    ),
    ...(operator === undefined
      ? []
      : [element('ActiveParticipant', { UserID: operator, UserIsRequestor: 'true' }, [])]),
  ]
}

const auditSource = ({ sourceId, site }: AuditSource) =>
  element(
    'AuditSourceIdentification',
    { ...(site === undefined ? {} : { AuditEnterpriseSiteID: site }), AuditSourceID: sourceId },
    [element('AuditSourceTypeCode', { 'csd-code': '4' }, [])],
  )

/** The patient by golden id where there is one; the id has the form of a CX. */
function patientObject(record: AuditRecord, patient: string, { patientAuthority }: AuditSource): string {
  const id = record.goldenPatientId ?? patient.replace(/^Patient\//, '')
  const authority = /^\d+(\.\d+)+$/.test(patientAuthority) ? `&${patientAuthority}&ISO` : patientAuthority
  return participantObject(`${id}^^^${authority}`, '1', '1', [
    code('ParticipantObjectIDTypeCode', '2', 'RFC-3881', 'Patient Number'),
    detail('MSH-10', record.controlId),
  ])
}

const queryObject = ({ messageType, controlId }: AuditRecord) =>
  participantObject(controlId, '2', '24', [
    code('ParticipantObjectIDTypeCode', eventTypeOf(messageType)?.code ?? messageType, 'IHE Transactions', 'Query'),
    element('ParticipantObjectQuery', {}, [base64(messageType)]),
    detail('MSH-10', controlId),
  ])

/** The message itself: by this a record is found again, and a repetition is told. */
const messageObject = ({ id, transactionId, controlId, messageType, duplicateOf, resources }: AuditRecord) =>
  participantObject(transactionId, '2', '20', [
    code('ParticipantObjectIDTypeCode', 'transaction', 'Corridor', 'Transaction'),
    detail('record', id),
    detail('MSH-9', messageType),
    detail('MSH-10', controlId),
    ...(duplicateOf === undefined ? [] : [detail('duplicate-of', duplicateOf)]),
    ...resources.map((reference) => detail('resource', reference)),
  ])

const participantObject = (id: string, type: string, role: string, parts: readonly string[]) =>
  element(
    'ParticipantObjectIdentification',
    { ParticipantObjectID: id, ParticipantObjectTypeCode: type, ParticipantObjectTypeCodeRole: role },
    parts,
  )

const detail = (type: string, value: string) => element('ParticipantObjectDetail', { type, value: base64(value) }, [])

const code = (name: string, value: string, system: string, display: string) =>
  element(name, { 'csd-code': value, codeSystemName: system, originalText: display }, [])

function element(name: string, attributes: Readonly<Record<string, string>>, parts: readonly string[]): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  const start = `<${name}${written.join('')}`
  return parts.length === 0 ? `${start}/>` : `${start}>${parts.join('')}</${name}>`
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** What XML 1.0 has no place for becomes the sign for that; line breaks would end a syslog line. */
function escaped(text: string): string {
  if (isPlain.test(text)) return text
  return text
    .toWellFormed()
    .replaceAll(/[\u0000-\u001f\u007f\ufffe\uffff]/g, '\ufffd')
    .replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}

/** Printable ASCII without the five signs of markup: nearly every value of a record. */
const isPlain = /^[ !#-%(-;=?-~]*$/

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
