import type { AuditEvent, AuditEventAgent, AuditEventEntity, Coding } from '../../../packages/fhir/r4.ts'
import { auditIds } from '../../../ports/fhir-store/write-audit-events.ts'
import type { ToldEvent } from '../audit/told-events.ts'
import { fhirReference } from './fhir-reference.ts'
import { recordIdentifiers } from './project-consent.ts'
import { purposeCoding } from './purpose-coding.ts'

const terminology = 'http://terminology.hl7.org/CodeSystem'
const dicom = 'http://dicom.nema.org/resources/ontology/DCM'
const balp = 'https://profiles.ihe.net/ITI/BALP'

/** The decision as an AuditEvent after IHE's pattern for decisions on consent. Ids only, as in the trail. */
export function projectDecision(decision: ToldEvent): AuditEvent {
  const { id, at, outcome, purposeOfUse } = decision
  return {
    resourceType: 'AuditEvent',
    meta: {
      ...(fitsPattern(decision) ? { profile: [`${balp}/StructureDefinition/IHE.BasicAudit.AuthZconsent`] } : {}),
      tag: [{ system: auditIds, code: id }],
    },
    type: { system: dicom, code: '110113', display: 'Security Alert' },
    subtype: [{ system: `${balp}/CodeSystem/AuthZsubType`, code: 'AuthZ-Consent' }],
    action: 'E',
    recorded: at,
    ...(outcome === 'PERMIT' ? { outcome: '0' } : { outcome: '8', outcomeDesc: refusals[outcome] ?? outcome }),
    ...(purposeOfUse === null ? {} : { purposeOfEvent: [{ coding: [purposeCoding(purposeOfUse)] }] }),
    agent: agentsOf(decision),
    source: {
      observer: { display: observer },
      type: [{ system: `${terminology}/security-source-type`, code: '6', display: 'Security Server' }],
    },
    entity: entitiesOf(decision),
  }
}

const observer = 'Corridor consent service'

const refusals: Partial<Record<ToldEvent['outcome'], string>> = {
  DENY: 'A recorded consent denies it.',
  NO_CONSENT: 'No recorded consent permits it.',
}

/** It wants a record that decided, and an organisation that asked or was asked for. */
const fitsPattern = ({ recordId, clientId, actorReferences }: ToldEvent) =>
  recordId !== null && clientId !== null && actorReferences.filter(isOrganisation).length === 1

const isOrganisation = (actor: string) => actor.startsWith('Organization/')

function agentsOf({ subject, clientId, peer, actorReferences }: ToldEvent): AuditEventAgent[] {
  const who = (value: string) => ({ identifier: { value } })
  return [
    { type: typed(asker), who: who(subject ?? 'unknown'), requestor: true },
    {
      type: typed(client),
      who: who(clientId ?? 'unknown'),
      requestor: false,
      ...(peer === null ? {} : { network: { address: peer, type: '2' } }),
    },
    ...actorReferences.map((actor) => ({
      type: typed(isOrganisation(actor) ? provider : recipient),
      who: fhirReference(actor),
      requestor: false,
    })),
    { type: typed(decider), who: { display: observer }, requestor: false },
  ]
}

const typed = (coding: Coding) => ({ coding: [coding] })

const asker = { system: `${terminology}/v3-ParticipationType`, code: 'IRCP', display: 'information recipient' }
const client = { system: dicom, code: '110150', display: 'Application' }
const provider = { system: `${terminology}/v3-RoleClass`, code: 'PROV', display: 'healthcare provider' }
const recipient = { system: dicom, code: '110152', display: 'Destination Role ID' }
const decider = {
  ...{ system: `${terminology}/extra-security-role-type`, code: 'authserver', display: 'authorization server' },
}

/** The pattern knows no entity but these two, so what was asked is told beside the patient. */
function entitiesOf(decision: ToldEvent): AuditEventEntity[] {
  const { patientId, recordId, id, resourceType, operation, asOf, requestId } = decision
  const asked = { decision: id, 'resource type': resourceType, operation, 'as of': asOf, request: requestId }
  const detail = Object.entries(asked).flatMap(([type, value]) => (value === null ? [] : { type, valueString: value }))
  return [
    {
      ...(patientId === null ? {} : { what: { reference: patientId } }),
      type: { system: `${terminology}/audit-entity-type`, code: '1', display: 'Person' },
      role: { system: `${terminology}/object-role`, code: '1', display: 'Patient' },
      detail,
    },
    ...(recordId === null
      ? []
      : [
          {
            what: { type: 'Consent', identifier: { system: recordIdentifiers, value: String(recordId) } },
            type: { system: 'http://hl7.org/fhir/resource-types', code: 'Consent', display: 'Consent' },
          },
        ]),
  ]
}
