import type { Encounter, FhirResource } from '../../../packages/fhir/r4.ts'

/** Nobody lies in a bed for a visit that is over, or that never was: whatever the message called it, the place was left. */
export function withPlacesLeft(resource: FhirResource): FhirResource {
  if (resource.resourceType !== 'Encounter' || !ended.has(resource.status)) return resource
  if (resource.location?.some(({ status }) => status === 'active') !== true) return resource
  const location = resource.location.map((one) => (one.status === 'active' ? { ...one, status: left } : one))
  return { ...resource, location }
}

const ended: ReadonlySet<Encounter['status']> = new Set(['finished', 'cancelled', 'entered-in-error'])
const left = 'completed' as const
