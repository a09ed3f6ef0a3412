import type { FhirStore } from './fhir-store.ts'
import { openFacilities } from './open-facilities.ts'

export interface FacilityChoice {
  readonly value: string
  readonly label: string
}

/** The facilities of the registry (`Organization/…`), by name: all of them, for whoever is not in a list cannot be chosen. */
export async function facilityChoices(store: Pick<FhirStore, 'searchAll'>): Promise<readonly FacilityChoice[]> {
  const found = await openFacilities(store)
  return found.flatMap(({ id, name }) => (id === undefined ? [] : [{ value: `Organization/${id}`, label: name ?? id }]))
}
