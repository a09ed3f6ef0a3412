import { LRUCache } from 'lru-cache'
import type { Organization } from '../../packages/fhir/r4.ts'
import type { Facility, RegistrationOptions } from './facility-registry.ts'
import { firstSightTag } from './organization.ts'

/**
 * Before a facility that was registered on first sight is told of: without its policy its messages would be refused. Once
 * a process, and again where it failed.
 */
export function welcomeOnce({ onRegistered }: Partial<RegistrationOptions>): (facility: Facility) => Promise<void> {
  const welcomed = new LRUCache<string, true>({ max: 10_000 })
  return async (facility) => {
    if (onRegistered === undefined || welcomed.has(facility.organization)) return
    await onRegistered(facility)
    welcomed.set(facility.organization, true)
  }
}

export const isFirstSight = ({ meta }: Organization): boolean =>
  meta?.tag?.some(({ code }) => code === firstSightTag.code) === true
