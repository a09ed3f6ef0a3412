import type { Facility, FacilityRegistry } from './facility-registry.ts'

/** The registry of the same process. */
export function inProcessFacilityRegistry(
  find: (codes: readonly string[]) => Promise<ReadonlyMap<string, Facility>>,
): FacilityRegistry {
  return {
    async find(codes, { signal } = {}) {
      signal?.throwIfAborted()
      return find(codes)
    },
  }
}
