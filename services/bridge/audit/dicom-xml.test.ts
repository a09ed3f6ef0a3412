import { describe, expect, it } from 'vitest'
import type { Finished } from '../pipeline/finished.ts'
import { auditRecordOf, type AuditRecord } from './audit-record.ts'
import { dicomXml } from './dicom-xml.ts'
import { fhirAuditEvent } from './fhir-audit-event.ts'
import { keysOfRecord } from './read-record.ts'
import { finishedMessage, known, succeeded } from './testing/finished-messages.ts'

const source = { sourceId: 'corridor-bridge', site: 'HIE', patientAuthority: '1.2.3.4' }

function recordOf(given: Partial<Finished> = {}): AuditRecord {
  const record = auditRecordOf(finishedMessage(given), '4711')
  if (record === undefined) throw new Error('no record')
  return record
}

const refused = {
  ...known,
  status: 'ERROR' as const,
  code: 'AR' as const,
  errorCode: 'CONSENT_DENIED',
  errorMessage: 'No.',
  issues: [],
  resources: [],
}

const qpd = 'QPD|Q22^Find Candidates^HL70471|T1|@PID.5.1^Okonkwo'
const query: Partial<Finished> = {
  messageType: 'QBP^Q22',
  query: qpd,
  outcome: {
    ...{ ...succeeded, resources: [] },
    otherPatients: [{ patient: 'Patient/p2', goldenPatientId: 'g2' }, { patient: 'Patient/p3' }],
  },
}
const base64 = (text: string) => Buffer.from(text).toString('base64')
const patientIdsIn = (xml: string) =>
  [...xml.matchAll(/ParticipantObjectID="([^"^]*)\^[^"]*" ParticipantObjectTypeCode="1"/g)].map(([, id]) => id)

describe('the DICOM audit message', () => {
  it('of an admission says who sent what about whom', () => {
    expect(dicomXml(recordOf(), source).replaceAll('><', '>\n<')).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <AuditMessage>
      <EventIdentification EventActionCode="C" EventDateTime="2026-03-04T05:06:07.150Z" EventOutcomeIndicator="0">
      <EventID csd-code="110110" codeSystemName="DCM" originalText="Patient Record"/>
      <EventTypeCode csd-code="ITI-8" codeSystemName="IHE Transactions" originalText="Patient Identity Feed"/>
      </EventIdentification>
      <ActiveParticipant UserID="CENTRAL|HIS" UserIsRequestor="true" NetworkAccessPointID="10.0.0.7" NetworkAccessPointTypeCode="2">
      <RoleIDCode csd-code="110153" codeSystemName="DCM" originalText="Source Role ID"/>
      </ActiveParticipant>
      <ActiveParticipant UserID="HIE|CORRIDOR" AlternativeUserID="4711" UserIsRequestor="false">
      <RoleIDCode csd-code="110152" codeSystemName="DCM" originalText="Destination Role ID"/>
      </ActiveParticipant>
      <AuditSourceIdentification AuditEnterpriseSiteID="HIE" AuditSourceID="corridor-bridge">
      <AuditSourceTypeCode csd-code="4"/>
      </AuditSourceIdentification>
      <ParticipantObjectIdentification ParticipantObjectID="g1^^^&amp;1.2.3.4&amp;ISO" ParticipantObjectTypeCode="1" ParticipantObjectTypeCodeRole="1">
      <ParticipantObjectIDTypeCode csd-code="2" codeSystemName="RFC-3881" originalText="Patient Number"/>
      <ParticipantObjectDetail type="MSH-10" value="TVNHMDAwMDE="/>
      </ParticipantObjectIdentification>
      <ParticipantObjectIdentification ParticipantObjectID="20260304-050607123-CENTRAL-9f3b2c81d4e7" ParticipantObjectTypeCode="2" ParticipantObjectTypeCodeRole="20">
      <ParticipantObjectIDTypeCode csd-code="transaction" codeSystemName="Corridor" originalText="Transaction"/>
      <ParticipantObjectDetail type="record" value="MWU0MDAyOGMtMzJlNi04NDNjLThjNTAtZmJmMmIzY2NiNGEw"/>
      <ParticipantObjectDetail type="MSH-9" value="QURUXkEwMQ=="/>
      <ParticipantObjectDetail type="MSH-10" value="TVNHMDAwMDE="/>
      <ParticipantObjectDetail type="resource" value="UGF0aWVudC9wMS9faGlzdG9yeS8z"/>
      </ParticipantObjectIdentification>
      </AuditMessage>"
    `)
  })

  it.each<[string, Partial<Finished>, Partial<ReturnType<typeof keysOfRecord>>]>([
    ['an update', { messageType: 'ADT^A08' }, { action: 'U', eventType: 'ITI-8', outcome: '0' }],
    ['a result', { messageType: 'ORU^R01' }, { action: 'C', eventType: 'LAB-3' }],
    ['a query', { messageType: 'QBP^Q22' }, { action: 'E', eventId: '110112', eventType: 'ITI-21' }],
    ['a refusal', { outcome: refused, ackCode: 'AR' }, { outcome: '4', patient: 'g1' }],
    ['a failure of ours', { outcome: { ...refused, errorCode: 'INTERNAL' } }, { outcome: '8' }],
    ['a dependency away', { outcome: { ...refused, errorCode: 'PATIENT_INDEX_UNAVAILABLE' } }, { outcome: '8' }],
    ['a duplicate', { outcome: { status: 'DUPLICATE', of: 'earlier', hasOtherContent: false } }, { outcome: '0' }],
    ['what could not be read', { messageType: '', controlId: '', outcome: refused }, { eventType: 'unreadable' }],
  ])('of %s says so, and a repository can read it', (_, given, expected) => {
    expect(keysOfRecord(dicomXml(recordOf(given), source))).toMatchObject(expected)
  })

  it('of a query holds what was asked, and names everybody whom the answer tells of', () => {
    const xml = dicomXml(recordOf(query), source)
    expect(/<ParticipantObjectQuery>(.*?)</.exec(xml)?.[1]).toBe(base64(qpd))
    expect(patientIdsIn(xml)).toEqual(['g1', 'g2', 'p3'])
  })

  it('of a merge names both records, also when they are one person by now', () => {
    const otherPatients = [{ patient: 'Patient/p-old', goldenPatientId: 'g1' }]
    const merge = recordOf({ messageType: 'ADT^A40', outcome: { ...succeeded, otherPatients } })
    expect(patientIdsIn(dicomXml(merge, source))).toEqual(['g1', 'p-old'])
  })

  it('stays as short as repositories take it, however much a message has written, and says how much that was', () => {
    const resources = Array.from({ length: 8_000 }, (_, n) => ({
      ...{ type: 'PractitionerRole', operation: 'update' as const, versionId: '1' },
      reference: `PractitionerRole/2f1a8f0e-1111-5111-8111-${String(n).padStart(12, '0')}`,
    }))
    const xml = dicomXml(recordOf({ messageType: 'MFN^M02', outcome: { ...succeeded, resources } }), source)
    expect(xml.length).toBeLessThan(32_768)
    expect(xml.match(/type="resource"/g)).toHaveLength(100)
    expect(xml).toContain(`type="resource-count" value="${base64('8000')}"`)
  })

  it('cannot be broken by what a sender writes', () => {
    const nasty = '"/><Evil a="\r\n<>&\'\u0000\u001c'
    const xml = dicomXml(recordOf({ sendingFacility: nasty, controlId: nasty, operator: nasty, peer: nasty }), source)
    expect(xml).not.toMatch(/<Evil|[\r\n\0]/)
    expect(xml.match(/<ActiveParticipant /g)).toHaveLength(3)
  })

  it('is not there for a message that is not through yet', () => {
    const parked = {
      ...known,
      status: 'QUEUED' as const,
      errorCode: 'STORE_UNAVAILABLE',
      errorMessage: '',
      wasCalled: true,
    }
    expect(auditRecordOf(finishedMessage({ outcome: parked }), '1')).toBeUndefined()
  })

  it('has another id for another attempt, and the same one for the same', () => {
    expect(recordOf().id).toBe(recordOf().id)
    expect(recordOf({ attempt: 2 }).id).not.toBe(recordOf().id)
  })
})

describe('the FHIR AuditEvent', () => {
  it('follows the basic audit log patterns', () => {
    const record = recordOf({ operator: 'JDOE' })
    expect(fhirAuditEvent(record, source)).toMatchObject({
      meta: {
        profile: ['https://profiles.ihe.net/ITI/BALP/StructureDefinition/IHE.BasicAudit.PatientCreate'],
        tag: [{ code: record.id }],
      },
      subtype: [{ code: 'create' }, { code: 'ITI-8' }],
      action: 'C',
      outcome: '0',
      agent: [{ requestor: false }, { requestor: false }, { requestor: true, who: { identifier: { value: 'JDOE' } } }],
      entity: [
        { what: { reference: 'Patient/p1' } },
        { what: { reference: 'Patient/p1/_history/3' } },
        { what: { identifier: { value: record.transactionId } } },
      ],
    })
  })

  it('of a query holds what was asked, and names everybody whom the answer tells of', () => {
    const { meta, entity } = fhirAuditEvent(recordOf(query), source)
    // The pattern with a patient has room for one.
    expect(meta?.profile).toEqual(['https://profiles.ihe.net/ITI/BALP/StructureDefinition/IHE.BasicAudit.Query'])
    expect(entity?.map(({ what, query: asked }) => what?.reference ?? asked)).toEqual([
      ...['Patient/p1', 'Patient/p2', 'Patient/p3', base64(qpd)],
      undefined,
    ])
  })

  it('of what could not be read names no patient and holds no empty list', () => {
    const { patient: _patient, ...nobody } = refused
    const event = fhirAuditEvent(recordOf({ messageType: '', controlId: '', outcome: nobody }), source)
    expect(event.meta?.profile?.[0]).toMatch(/BasicAudit\.Update$/)
    expect(event.entity).toHaveLength(1)
    expect(event.entity?.[0]).not.toHaveProperty('detail')
  })
})
