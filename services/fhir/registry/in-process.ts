import type { FacilityRegistry, RegistrationOptions } from '../../../ports/facility-registry/facility-registry.ts'
import { inProcessFacilityRegistry } from '../../../ports/facility-registry/in-process-facility-registry.ts'
import type { InteractionDeps } from '../interactions/deps.ts'
import { Facilities } from './facilities.ts'

/** The facility registry for a service of the same process. */
export function facilityRegistryInProcess(options: RegistrationOptions, deps: InteractionDeps): FacilityRegistry {
  const facilities = new Facilities(options, deps)
  return inProcessFacilityRegistry((codes) => facilities.find(codes))
}
