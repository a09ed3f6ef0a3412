import { hash } from 'node:crypto'
import type { Clock } from '../../../packages/clock/clock.ts'
import { remembered } from '../../../packages/clock/remembered.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import { openFacilities } from '../../../ports/fhir-store/open-facilities.ts'
import type { Bundle, Organization } from '../../../ports/fhir-store/resources.ts'
import type { AuthSettings } from '../settings.ts'
import { brandBundle } from './brand-bundle.ts'

interface FacilityBrandsDeps {
  readonly settings: AuthSettings
  readonly clock: Clock
  readonly platformFhir: FhirStore
}

const keptMs = 60_000

interface Brands {
  readonly bundle: Bundle
  /** Of the contents alone, so that all copies of this server say the same. */
  readonly etag: string
}

export type FacilityBrands = () => Promise<Brands>

/** The brands of all facilities. Anybody may ask, and each page of facilities is a search: so once a minute at most. */
export function facilityBrands(deps: FacilityBrandsDeps): FacilityBrands {
  let last: Brands | undefined
  return remembered(keptMs, async () => (last = await brandsAfter(last, deps)), deps.clock)
}

async function brandsAfter(
  last: Brands | undefined,
  { settings, clock, platformFhir }: FacilityBrandsDeps,
): Promise<Brands> {
  const facilities = await brandedFacilities(platformFhir)
  const contents = brandBundle(facilities, settings)
  const etag = `W/"${hash('sha256', JSON.stringify(contents), 'base64url')}"`
  if (last?.etag === etag) return last
  const timestamp = lastChange(facilities, last, clock.now()).toISOString()
  return { etag, bundle: { ...contents, timestamp } }
}

/**
 * The facilities of the registry, and organizations that say of themselves that they are active. The others are what
 * messages name: wards, insurers, employers.
 */
async function brandedFacilities(store: FhirStore): Promise<Organization[]> {
  const found = [
    ...(await openFacilities(store)),
    ...(await store.searchAll<Organization>('Organization', { active: 'true' })),
  ]
  const once = new Map(found.map((facility) => [facility.id, facility]))
  return [...once.values()].sort((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1))
}

/** By the newest date of the registry. Where that is no news, a facility is gone, of which no date is left: so now. */
function lastChange(facilities: readonly Organization[], last: Brands | undefined, now: Date): Date {
  const dates = facilities.map(({ meta }) => Date.parse(meta?.lastUpdated ?? '')).filter((ms) => !Number.isNaN(ms))
  const newestMs = dates.reduce((newest, ms) => Math.max(newest, ms), -Infinity)
  const toldMs = last === undefined ? -Infinity : Date.parse(last.bundle.timestamp ?? '')
  return newestMs > toldMs ? new Date(newestMs) : now
}
