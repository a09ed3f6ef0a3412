import type { FhirResource } from '../../../packages/fhir/r4.ts'

/**
 * When a source said what a resource holds. It travels with the resource (`meta.extension`), so that a message that was
 * under way for a week can be told from one that corrects it, whatever store is used.
 */
const saidAtUrl = (base: string): string => `${base}/StructureDefinition/said-at`

/** Whether what is stored was said later than this message. Times that are only days say nothing about order. */
export function isStale(said: string | undefined, stored: FhirResource, base: string): boolean {
  const before = saidAtOf(stored, base)
  if (said === undefined || before === undefined || !hasTime(said) || !hasTime(before)) return false
  return Date.parse(said) < Date.parse(before)
}

export const saidAtOf = ({ meta }: FhirResource, base: string): string | undefined =>
  meta?.extension?.find(({ url }) => url === saidAtUrl(base))?.valueDateTime

export const hasTime = (dateTime: string): boolean => dateTime.includes('T')

export function stamped(resource: FhirResource, said: string | undefined, base: string): FhirResource {
  if (said === undefined) return resource
  const url = saidAtUrl(base)
  const others = (resource.meta?.extension ?? []).filter((extension) => extension.url !== url)
  return { ...resource, meta: { ...resource.meta, extension: [...others, { url, valueDateTime: said }] } }
}
