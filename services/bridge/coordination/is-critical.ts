import type { FhirResource } from '../../../packages/fhir/r4.ts'

/** Critical high, critical low, critically abnormal, in a result that holds or in a part of it. */
export function isCritical(resource: FhirResource): boolean {
  if (resource.resourceType !== 'Observation' || !settled.has(resource.status)) return false
  return [resource, ...(resource.component ?? [])].some(({ interpretation }) =>
    interpretation?.some(({ coding }) => coding?.some(({ code }) => critical.has(code ?? ''))),
  )
}

const critical = new Set(['HH', 'LL', 'AA'])
const settled = new Set(['final', 'amended', 'corrected'])
