import type { Organization } from '../../packages/fhir/r4.ts'
import { facilityCodeSystem } from '../facility-registry/organization.ts'
import type { FhirStore } from './fhir-store.ts'

/** By name, all but those that are closed: one that does not say whether it is active sends its messages, too. */
export async function openFacilities(store: Pick<FhirStore, 'searchAll'>): Promise<Organization[]> {
  const search = { identifier: `${facilityCodeSystem}|`, _sort: 'name' }
  const found = await store.searchAll<Organization>('Organization', search)
  return found.filter(({ active }) => active !== false)
}
