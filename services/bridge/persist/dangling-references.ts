import type { FhirResource } from '../../../packages/fhir/r4.ts'
import type { Write } from '../mapping/mapped.ts'

/**
 * References to what is not written, because there is nothing to amend or it is another patient's, say by identifier what was
 * meant. Before the write is joined with what is stored: there they stand so already.
 */
export function withoutDangling(write: Write, dropped: ReadonlyMap<string, Write>): Write {
  const [resource, defaults] = [write.resource, write.defaults].map((part) => replaced(part, dropped))
  // Sound: only references change, into references.
  return { ...write, resource: resource as FhirResource, defaults: defaults as Write['defaults'] }
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
