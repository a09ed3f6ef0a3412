import type { Clock } from '../../../packages/clock/clock.ts'
import { remembered } from '../../../packages/clock/remembered.ts'
import type { FhirStore, SearchParameters } from '../../../ports/fhir-store/fhir-store.ts'
import { matchesOf } from '../../../ports/fhir-store/read-resource.ts'
import type { Bundle, Organization } from '../../../ports/fhir-store/resources.ts'
import type { AuthSettings } from '../settings.ts'
import { brandBundle } from './brand-bundle.ts'

export interface FacilityBrandsDeps {
  readonly settings: AuthSettings
  readonly clock: Clock
  readonly platformFhir: FhirStore
}

const keptMs = 60_000
const pagesMax = 50

export type FacilityBrands = () => Promise<Bundle>

/** The brands of all facilities. Anybody may ask, and each page of facilities is a search: so once a minute at most. */
export function facilityBrands(deps: FacilityBrandsDeps): FacilityBrands {
  return remembered(keptMs, () => allBrands(deps), deps.clock)
}

async function allBrands({ settings, clock, platformFhir }: FacilityBrandsDeps): Promise<Bundle> {
  const facilities: Organization[] = []
  let parameters: SearchParameters | undefined = { active: 'true', _count: '200' }
  for (let page = 0; page < pagesMax && parameters !== undefined; page++) {
    const bundle = await platformFhir.searchBundle('Organization', parameters)
    // Sound: a search of a type finds resources of the type.
    facilities.push(...(matchesOf(bundle) as Organization[]))
    parameters = nextOf(bundle, settings.fhirBase)
  }
  return brandBundle(facilities, settings, clock.now())
}

/** What to search for to get the next page, of a server that says so in the query of the same search. */
function nextOf({ link = [] }: Bundle, base: string): SearchParameters | undefined {
  const next = link.find(({ relation }) => relation === 'next')?.url
  if (next === undefined || !URL.canParse(next, `${base}/`)) return undefined
  const { pathname, searchParams } = new URL(next, `${base}/`)
  return /\/Organization(?:\/_search)?$/.test(pathname) ? Object.fromEntries(searchParams) : undefined
}
