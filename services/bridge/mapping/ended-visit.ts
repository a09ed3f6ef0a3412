import type { Encounter, FhirResource } from '../../../packages/fhir/r4.ts'

/** Nobody lies in a bed for a visit that is over, or that never was: whatever the message called it, the place was left. */
export function withPlacesLeft(resource: FhirResource): FhirResource {
  if (resource.resourceType !== 'Encounter' || !ended.has(resource.status)) return resource
  if (resource.location?.some(({ status }) => status === 'active') !== true) return resource
  const location = resource.location.map((one) => (one.status === 'active' ? { ...one, status: left } : one))
  return { ...resource, location }
}

/** Where somebody goes after the visit. */
export const goalOfVisit = ['hospitalization.dischargeDisposition', 'hospitalization.destination'] as const

/** What a discharge says of a visit. */
export const endOfVisit = ['period.end', ...goalOfVisit] as const

/**
 * What a message takes from the visit that it finds: one that was finished and goes on (A01 under the same number) has
 * not ended, unless the message says so itself.
 */
export const endTakenBy = (said: FhirResource, stored: FhirResource): readonly string[] =>
  stored.resourceType === 'Encounter' && stored.status === 'finished' && goesOn(said) ? endOfVisit : nothing

/** An event that keeps the status (A08) says none: R4 demands one only of what is stored. */
const goesOn = (said: FhirResource): boolean =>
  said.resourceType === 'Encounter' && said.status !== undefined && !ended.has(said.status)

const nothing: readonly string[] = []

const ended: ReadonlySet<Encounter['status']> = new Set(['finished', 'cancelled', 'entered-in-error'])
const left = 'completed' as const
