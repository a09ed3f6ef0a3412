import type { FhirResource } from '../../../packages/fhir/r4.ts'
import { ownTime, withOwnExtensions } from './own-extensions.ts'

/**
 * When a source said what a resource holds, so that a message that was under way for a week can be told from one that
 * corrects it.
 */
const saidAtUrl = (base: string): string => `${base}/StructureDefinition/said-at`

/** Whether what is stored was said later than this message. */
export const isStale = (said: string | undefined, stored: FhirResource, base: string): boolean =>
  isSaidBefore(said, saidAtOf(stored, base))

/** Times that are only days say nothing about order. */
export function isSaidBefore(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined || !hasTime(one) || !hasTime(other)) return false
  return Date.parse(one) < Date.parse(other)
}

export const saidAtOf = (resource: FhirResource, base: string): string | undefined => ownTime(resource, saidAtUrl(base))

export const hasTime = (dateTime: string): boolean => dateTime.includes('T')

export function stamped(resource: FhirResource, said: string | undefined, base: string): FhirResource {
  if (said === undefined) return resource
  const url = saidAtUrl(base)
  return withOwnExtensions(resource, [url], [{ url, valueDateTime: said }])
}
