import { isFhirId } from '../../../packages/fhir/fhir-id.ts'
import type { Reference } from '../../../packages/fhir/r4.ts'

/** A client id may have signs that no FHIR id has; such an actor is named rather than pointed at. */
export function fhirReference(actor: string): Reference {
  const [type = '', id] = actor.split('/')
  if (id === undefined || !actorTypes.has(type)) return { identifier: { value: actor } }
  return isFhirId(id) ? { reference: actor } : { type, identifier: { value: id } }
}

/** What FHIR lets be an agent of an AuditEvent and an actor of a Consent. */
const actorTypes: ReadonlySet<string> = new Set([
  ...['Device', 'Organization', 'Patient', 'Practitioner', 'PractitionerRole', 'RelatedPerson'],
])
