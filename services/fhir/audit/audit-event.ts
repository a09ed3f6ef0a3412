import type { AuditEvent, AuditEventEntity } from '../../../packages/fhir/r4.ts'
import { agentsOf } from './agents.ts'
import type { AccessOutcome, AuditedAccess, TouchedResource } from './audited-access.ts'
import { applicationServer, entityRoles, entityTypes, interactionCoding, restfulOperation } from './codings.ts'
import { describedQuestion } from './described-question.ts'
import { actionOf, patternOf, profileOf } from './patterns.ts'

/** What one event tells of an access: BALP wants one event a patient. */
export interface AuditedPart {
  readonly access: AuditedAccess
  /** The resources that were read or written; none for searches and their like, whose results are not recorded. */
  readonly resources: readonly TouchedResource[]
  readonly patient: string | undefined
}

/** The AuditEvent of an access, after IHE's Basic Audit Log Patterns. It holds ids and nothing of what they stand for. */
export function auditEventOf({ access, resources, patient }: AuditedPart, base: string): AuditEvent {
  const pattern = patternOf[access.interaction]
  return {
    resourceType: 'AuditEvent',
    meta: { profile: [profileOf(pattern, patient !== undefined)] },
    type: restfulOperation,
    subtype: [interactionCoding(access.interaction)],
    action: actionOf[pattern],
    recorded: access.at.toISOString(),
    ...outcomeOf(access.outcome),
    agent: agentsOf(access, pattern, base),
    source: { observer: { identifier: { value: base } }, type: [applicationServer] },
    entity: [
      ...(patient === undefined ? [] : [patientEntity(patient)]),
      ...resources.map(dataEntity),
      ...(access.question === undefined ? [] : [queryEntity(access.question)]),
      requestEntity(access.requestId),
    ],
  }
}

function outcomeOf(outcome: AccessOutcome): Pick<AuditEvent, 'outcome' | 'outcomeDesc'> {
  const code = { success: '0', refused: '4', failed: '8' } as const
  const said = outcome.kind === 'success' ? undefined : outcome.code
  return { outcome: code[outcome.kind], ...(said === undefined ? {} : { outcomeDesc: said }) }
}

const patientEntity = (id: string): AuditEventEntity => ({
  what: { reference: `Patient/${id}` },
  type: entityTypes.person,
  role: entityRoles.patient,
})

const dataEntity = ({ type, id, version }: TouchedResource): AuditEventEntity => ({
  what: { reference: version === undefined ? `${type}/${id}` : `${type}/${id}/_history/${version}` },
  type: entityTypes.systemObject,
  role: entityRoles.domainResource,
})

function queryEntity(question: string): AuditEventEntity {
  // A bundle that fails as a whole was sent to the base itself, and an empty text is none in FHIR.
  const text = question === '' ? '/' : describedQuestion(question)
  return {
    type: entityTypes.systemObject,
    role: entityRoles.query,
    description: text,
    query: Buffer.from(text).toString('base64'),
  }
}

const requestEntity = (id: string): AuditEventEntity => ({
  what: { identifier: { value: id } },
  type: entityTypes.requestId,
})
