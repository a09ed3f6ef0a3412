import type { FhirResource } from '../../../packages/fhir/r4.ts'
import type { Write } from '../mapping/mapped.ts'

/** References to what is not written, because there is nothing to amend, say by identifier what was meant. */
export function withoutDangling(resource: FhirResource, dropped: ReadonlyMap<string, Write>): FhirResource {
  // Sound: only references change, into references.
  return replaced(resource, dropped) as FhirResource
}

function replaced(value: unknown, dropped: ReadonlyMap<string, Write>): unknown {
  if (Array.isArray(value)) return value.map((item) => replaced(item, dropped))
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value
  const meant = 'reference' in value && typeof value.reference === 'string' ? dropped.get(value.reference) : undefined
  if (meant !== undefined) {
    const { system, value: identifier } = meant.key
    return { type: meant.resource.resourceType, identifier: { system, value: identifier } }
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaced(inner, dropped)]))
}
