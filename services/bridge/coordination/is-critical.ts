import type { FhirResource, ObservationComponent } from '../../../packages/fhir/r4.ts'

/** Critical high, critical low, critically abnormal, in a result that holds or in a part of it. */
export function isCritical(resource: FhirResource): boolean {
  if (resource.resourceType !== 'Observation' || !standing.has(resource.status)) return false
  return [resource, ...(resource.component ?? [])].some((part) => criticalFlags(part).length > 0)
}

export const criticalFlags = ({ interpretation = [] }: Pick<ObservationComponent, 'interpretation'>): string[] => {
  const codes = interpretation.flatMap(({ coding = [] }) => coding.map(({ code = '' }) => code))
  return [...new Set(codes.filter((code) => critical.has(code)))].sort()
}

const critical = new Set(['HH', 'LL', 'AA'])
/** With those of which nobody says how they stand, as of a laboratory without OBX-11 and OBR-25: none of theirs would ever be heard of. */
const standing = new Set(['final', 'amended', 'corrected', 'unknown'])
