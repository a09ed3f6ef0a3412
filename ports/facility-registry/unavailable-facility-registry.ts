import { unavailable } from '../../packages/faults/fault.ts'
import type { FacilityRegistry } from './facility-registry.ts'

/** Where there is no registry: nobody knows who sends. */
export const unavailableFacilityRegistry: FacilityRegistry = {
  find: async () => {
    throw unavailable('There is no facility registry.', { code: 'NO_FACILITY_REGISTRY' })
  },
}
