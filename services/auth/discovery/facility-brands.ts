import type { Clock } from '../../../packages/clock/clock.ts'
import { remembered } from '../../../packages/clock/remembered.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { Bundle, Organization } from '../../../ports/fhir-store/resources.ts'
import type { AuthSettings } from '../settings.ts'
import { brandBundle } from './brand-bundle.ts'

export interface FacilityBrandsDeps {
  readonly settings: AuthSettings
  readonly clock: Clock
  readonly platformFhir: FhirStore
}

const keptMs = 60_000

export type FacilityBrands = () => Promise<Bundle>

/** The brands of all facilities. Anybody may ask, and each page of facilities is a search: so once a minute at most. */
export function facilityBrands(deps: FacilityBrandsDeps): FacilityBrands {
  return remembered(keptMs, () => allBrands(deps), deps.clock)
}

async function allBrands({ settings, clock, platformFhir }: FacilityBrandsDeps): Promise<Bundle> {
  const facilities = await platformFhir.searchAll<Organization>('Organization', { active: 'true' })
  return brandBundle(facilities, settings, clock.now())
}
