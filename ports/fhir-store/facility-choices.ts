import type { Organization } from '../../packages/fhir/r4.ts'
import type { FhirStore } from './fhir-store.ts'

export interface FacilityChoice {
  readonly value: string
  readonly label: string
}

/** The facilities of the registry (`Organization/…`), by name: all of them, for whoever is not in a list cannot be chosen. */
export async function facilityChoices(store: Pick<FhirStore, 'searchAll'>): Promise<readonly FacilityChoice[]> {
  const search = { identifier: 'urn:corridor:facility-code|', active: 'true', _sort: 'name' }
  const found = await store.searchAll<Organization>('Organization', search)
  return found.flatMap(({ id, name }) => (id === undefined ? [] : [{ value: `Organization/${id}`, label: name ?? id }]))
}
