import type { Coding, CodeableConcept } from '../../../packages/fhir/r4.ts'

const dicom = 'http://dicom.nema.org/resources/ontology/DCM'
const participation = 'http://terminology.hl7.org/CodeSystem/v3-ParticipationType'
const terminology = 'http://terminology.hl7.org/CodeSystem'

export const restfulOperation: Coding = { system: `${terminology}/audit-event-type`, code: 'rest' }
export const applicationServer: Coding = { system: `${terminology}/security-source-type`, code: '4' }

export const interactionCoding = (code: string): Coding => ({ system: 'http://hl7.org/fhir/restful-interaction', code })

export const agentTypes = {
  source: concept({ system: dicom, code: '110153', display: 'Source Role ID' }),
  destination: concept({ system: dicom, code: '110152', display: 'Destination Role ID' }),
  application: concept({ system: dicom, code: '110150', display: 'Application' }),
  custodian: concept({ system: `${terminology}/provenance-participant-type`, code: 'custodian' }),
  author: concept({ system: participation, code: 'AUT' }),
  recipient: concept({ system: participation, code: 'IRCP' }),
} as const

export const entityTypes = {
  person: { system: `${terminology}/audit-entity-type`, code: '1' },
  systemObject: { system: `${terminology}/audit-entity-type`, code: '2' },
  requestId: { system: 'https://profiles.ihe.net/ITI/BALP/CodeSystem/BasicAuditEntityType', code: 'XrequestId' },
} as const satisfies Record<string, Coding>

export const entityRoles = {
  patient: { system: `${terminology}/object-role`, code: '1' },
  domainResource: { system: `${terminology}/object-role`, code: '4' },
  query: { system: `${terminology}/object-role`, code: '24' },
} as const satisfies Record<string, Coding>

export const purposeOfUse = (code: string): CodeableConcept => concept({ system: `${terminology}/v3-ActReason`, code })
export const roleConcept = (code: string): CodeableConcept => concept({ system: 'urn:corridor:role', code })

function concept(coding: Coding): CodeableConcept {
  return { coding: [coding] }
}
