import type { Bundle, BundleEntry } from '../../../packages/fhir/r4.ts'
import { isOutside } from '../../../packages/sql/tasks/outside.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import { faultOfEntry } from '../../../ports/fhir-store/http/fault-of-entry.ts'
import type { WrittenResource } from '../persist/written-resource.ts'

/**
 * One batch, whatever store it is. A version that the store no longer has is left out; where it could not say, nobody is
 * shown a part as if it were all.
 */
export async function writtenVersions(
  resources: readonly WrittenResource[],
  store: Pick<FhirStore, 'transaction'>,
): Promise<Bundle> {
  const collection: Bundle = { resourceType: 'Bundle', type: 'collection' }
  if (resources.length === 0) return collection
  const entry = resources.map(({ reference, versionId }): BundleEntry => ({
    request: { method: 'GET', url: versionId === undefined ? reference : `${reference}/_history/${versionId}` },
  }))
  const answer = await store.transaction({ resourceType: 'Bundle', type: 'batch', entry })
  const found = (answer.entry ?? []).flatMap((one) => {
    const { resource } = one
    if (resource !== undefined) return [{ resource }]
    const fault = faultOfEntry(one)
    if (fault !== undefined && isOutside(fault)) throw fault
    return []
  })
  return found.length === 0 ? collection : { ...collection, entry: found }
}
