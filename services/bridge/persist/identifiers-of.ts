import type { FhirResource, Identifier } from '../../../packages/fhir/r4.ts'

export function identifiersOf(resource: FhirResource): readonly Identifier[] {
  const identifier: unknown = 'identifier' in resource ? resource.identifier : []
  // Sound: a list of that name holds identifiers.
  return Array.isArray(identifier) ? (identifier as Identifier[]) : []
}
