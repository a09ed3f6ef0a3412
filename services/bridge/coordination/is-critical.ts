import type { FhirResource, Observation } from '../../../packages/fhir/r4.ts'
import { criticalFlags } from './critical-flags.ts'

/** Critical high, critical low, critically abnormal, in a result that holds or in a part of it. */
export function isCritical(resource: FhirResource): boolean {
  if (resource.resourceType !== 'Observation' || !isStanding(resource)) return false
  return [resource, ...(resource.component ?? [])].some((part) => criticalFlags(part).length > 0)
}

/**
 * With those of which nobody says how they stand, as of a laboratory without OBX-11 and OBR-25: none of theirs would ever be heard
 * of. And with what a laboratory says before it is final, but not with what monitors say before anybody has looked at it.
 */
const isStanding = ({ status, category = [] }: Observation): boolean =>
  standing.has(status) ||
  (status === 'preliminary' && category.some(({ coding }) => coding?.some(({ code = '' }) => reported.has(code))))

const standing = new Set(['final', 'amended', 'corrected', 'unknown'])
const reported = new Set(['laboratory', 'imaging', 'exam', 'procedure'])
