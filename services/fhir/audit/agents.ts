import type { AuditEventAgent, CodeableConcept, Reference } from '../../../packages/fhir/r4.ts'
import type { AuditedAccess, AuditedCaller } from './audited-access.ts'
import { agentTypes, purposeOfUse, roleConcept } from './codings.ts'
import type { Pattern } from './patterns.ts'

/** Client, server and, where a person stands behind the token, the person. */
export function agentsOf(access: AuditedAccess, pattern: Pattern, base: string): AuditEventAgent[] {
  const { caller } = access
  const person = caller?.fhirUser === undefined ? undefined : { ...caller, fhirUser: caller.fhirUser }
  const types = typesOf[pattern]
  const client: AuditEventAgent = {
    type: types.client,
    who: { identifier: { value: caller?.clientId ?? 'unknown' } },
    requestor: person === undefined,
    network: access.peer === undefined ? { address: base, type: '5' } : { address: access.peer, type: '2' },
    ...(person === undefined ? standing(access) : {}),
  }
  const server: AuditEventAgent = {
    type: types.server,
    who: { identifier: { value: base } },
    requestor: false,
    network: { address: base, type: '5' },
  }
  if (person === undefined) return [client, server]
  const user = { type: types.user, who: whoOf(person.fhirUser), requestor: true, ...standing(access) }
  return [client, server, user]
}

/** As whom and why; on the agent that asked. */
function standing({ caller, purpose }: AuditedAccess): Partial<AuditEventAgent> {
  if (caller === undefined) return {}
  const reason = purpose ?? usualPurpose(caller)
  return {
    altId: caller.subject,
    // BALP: the token by its id. Neither the token nor anything it could be found by.
    policy: [`urn:corridor:token:${encodeURIComponent(caller.tokenId)}`],
    ...(caller.roles.size === 0 ? {} : { role: [...caller.roles].map(roleConcept) }),
    ...(reason === undefined ? {} : { purposeOfUse: [purposeOfUse(reason)] }),
  }
}

/** Tokens carry no purpose, so it is what such a caller is here for. */
function usualPurpose({ roles }: AuditedCaller): string | undefined {
  if (roles.has('PATIENT')) return 'PATRQT'
  if (roles.has('CLINICIAN')) return 'TREAT'
  if (roles.has('SYSTEM')) return 'HOPERAT'
  return roles.has('ADMIN') ? 'HSYSADMIN' : undefined
}

/** A person of this store by reference, anybody else by identifier: a reference would be to nothing. */
function whoOf(fhirUser: string): Reference {
  return /^[A-Za-z]+\/[A-Za-z0-9.-]{1,64}$/.test(fhirUser)
    ? { reference: fhirUser }
    : { identifier: { value: fhirUser } }
}

/** DICOM's and BALP's words: who holds the data is the source, except that a question flows the other way. */
const typesOf: Readonly<Record<Pattern, Record<'client' | 'server' | 'user', CodeableConcept>>> = {
  Create: { client: agentTypes.source, server: agentTypes.destination, user: agentTypes.author },
  Read: { client: agentTypes.destination, server: agentTypes.source, user: agentTypes.recipient },
  Update: { client: agentTypes.source, server: agentTypes.destination, user: agentTypes.author },
  Delete: { client: agentTypes.application, server: agentTypes.custodian, user: agentTypes.author },
  Query: { client: agentTypes.source, server: agentTypes.destination, user: agentTypes.recipient },
}
