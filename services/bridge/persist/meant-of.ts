import { conflict } from '../../../packages/faults/fault.ts'
import type { FhirResource } from '../../../packages/fhir/r4.ts'
import { survivorReference } from '../mapping/patient-links.ts'
import type { StoredResource } from './stored.ts'

/**
 * Several have the identifier: the one that is in use, and of those the one that was not replaced. Where that leaves two,
 * nobody but a person can say whose data this is.
 */
export function meantOf(found: readonly StoredResource[]): StoredResource | undefined {
  const standing = found.filter((one) => !isReplaced(one))
  const inUse = standing.filter(isActive)
  if (inUse.length > 1) throw conflict('Several resources have this identifier.', { code: 'MULTIPLE_MATCHES' })
  return inUse[0] ?? standing[0] ?? found[0]
}

const isReplaced = (resource: FhirResource): boolean => survivorReference(resource) !== undefined

const isActive = (resource: FhirResource): boolean => !('active' in resource) || resource.active !== false
