import type { FhirResource } from '../../../../packages/fhir/r4.ts'
import type { Key, Mapped } from '../mapped.ts'
import { leftOut } from '../left-out.ts'
import { mergeWrite, settleReferences } from '../merge.ts'

/** What a FHIR store does with a mapping, in memory: found by key, merged, kept. For tests of what comes of messages. */
export class SmallStore {
  readonly resources = new Map<string, FhirResource>()

  apply({ writes }: Mapped): void {
    const references = new Map(
      writes.flatMap(({ fullUrl, key, resource }) => {
        const found = this.#find(resource.resourceType, key)
        return found === undefined ? [] : [[fullUrl, found] as const]
      }),
    )
    const left = leftOut(writes, references)
    for (const write of writes) {
      if (left.has(write)) continue
      const reference = references.get(write.fullUrl) ?? write.fullUrl
      const merged = mergeWrite(settleReferences(write, references), this.resources.get(reference))
      if (merged !== undefined) this.resources.set(reference, merged)
    }
  }

  ofType<T extends FhirResource>(resourceType: T['resourceType']): T[] {
    return [...this.resources.values()].filter((resource): resource is T => resource.resourceType === resourceType)
  }

  #find(resourceType: string, { system, value }: Key): string | undefined {
    for (const [reference, resource] of this.resources) {
      if (resource.resourceType === resourceType && hasKey(resource, system, value)) return reference
    }
    return undefined
  }
}

function hasKey(resource: FhirResource, system: string, value: string): boolean {
  const sent = 'identifier' in resource ? (resource.identifier ?? []) : []
  const identifiers = Array.isArray(sent) ? sent : [sent]
  return (
    identifiers.some((one) => one.system === system && one.value === value) ||
    resource.meta?.tag?.some((one) => one.system === system && one.code === value) === true
  )
}
