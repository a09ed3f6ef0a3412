import type { FhirResource } from '../../../packages/fhir/r4.ts'
import { isSameJson } from '../mapping/same-json.ts'

/** Whether storing the one over the other would change nothing but its version. */
export function isSameResource(one: FhirResource, other: FhirResource): boolean {
  return isSameJson(unversioned(one), unversioned(other))
}

function unversioned({ meta = {}, ...rest }: FhirResource): object {
  const { versionId: _version, lastUpdated: _time, ...said } = meta
  return { ...rest, ...(Object.keys(said).length === 0 ? {} : { meta: said }) }
}
