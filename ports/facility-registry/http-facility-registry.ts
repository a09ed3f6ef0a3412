import type { Clock } from '../../packages/clock/clock.ts'
import { conflict, unauthenticated } from '../../packages/faults/fault.ts'
import type { Organization } from '../../packages/fhir/r4.ts'
import { FhirCaller, type FhirCallerOptions } from '../../packages/fhir-http/fhir-caller.ts'
import { escapeSearchValue } from '../../packages/fhir-http/search-value.ts'
import type { OutboundResponse } from '../../packages/http/outbound/outbound-response.ts'
import { faultOfStatus } from '../fhir-store/http/fault-of-status.ts'
import type { Facility, FacilityRegistry, RegistrationOptions } from './facility-registry.ts'
import type { CallOptions } from '../call-options.ts'
import { facilityCodeSystem, facilityOf, hasCode, organizationFor } from './organization.ts'
import { isFirstSight, welcomeOnce } from './welcome.ts'

export type HttpFacilityRegistryOptions = FhirCallerOptions &
  Partial<RegistrationOptions> & { readonly clock?: Pick<Clock, 'now'> }

/** Any R4 server whose Organizations carry their codes as identifiers. */
export function httpFacilityRegistry(options: HttpFacilityRegistryOptions): FacilityRegistry {
  const caller = new FhirCaller(options)
  const welcome = welcomeOnce(options)
  return {
    async find(codes, call = {}) {
      const wanted = [...new Set(codes)]
      const found = await search(wanted, { caller, welcome, clock: options.clock }, call)
      const unknown = options.registersOnFirstSight === true ? wanted.filter((code) => !found.has(code)) : []
      for (const code of unknown) {
        const facility = await register(code, caller, call)
        await welcome(facility)
        found.set(code, facility)
      }
      return found
    },
  }
}

/** A comma between values means "or", so one call finds all. */
async function search(
  codes: readonly string[],
  { caller, welcome, clock }: SearchDeps,
  call: CallOptions,
): Promise<Map<string, Facility>> {
  if (codes.length === 0) return new Map()
  const values = codes.map((code) => `${facilityCodeSystem}|${escapeSearchValue(code)}`)
  const query = new URLSearchParams({ identifier: values.join(','), _count: String(Math.min(2 * codes.length, 200)) })
  const answer = await caller.get(`Organization?${query.toString()}`, call)
  refuseRefusal(answer, clock)
  const organizations = caller.matchesOf<Organization>(answer, 'Organization')
  const found = new Map<string, Facility>()
  for (const code of codes) {
    const owners = organizations.filter((organization) => hasCode(organization, code) && organization.active !== false)
    const [owner] = owners
    if (owners.length > 1) throw conflict('Two organizations have the same facility code.', { code: 'CODE_NOT_UNIQUE' })
    if (owner?.id === undefined) continue
    const facility = facilityOf({ ...owner, id: owner.id }, code)
    if (isFirstSight(owner)) await welcome(facility)
    found.set(code, facility)
  }
  return found
}

interface SearchDeps {
  readonly caller: FhirCaller
  readonly welcome: (facility: Facility) => Promise<void>
  readonly clock: Pick<Clock, 'now'> | undefined
}

/** A no is told from silence: what was known before goes on only where nobody answers. */
function refuseRefusal(answer: OutboundResponse, clock: SearchDeps['clock']): void {
  if (answer.status === 401) throw unauthenticated('The FHIR server does not take our token.', { logged: 'status 401' })
  const fault = faultOfStatus(answer, {}, clock)
  if (fault !== undefined) throw fault
}

async function register(code: string, caller: FhirCaller, call: CallOptions): Promise<Facility> {
  const organization = organizationFor(code)
  const condition = {
    'if-none-exist': `identifier=${facilityCodeSystem}|${encodeURIComponent(escapeSearchValue(code))}`,
  }
  const answer = await caller.post('Organization', organization, call, condition)
  const id = caller.createdId(answer, 'Organization')
  if (id === undefined) throw caller.unusable('an Organization without id')
  return facilityOf({ ...organization, id }, code)
}
