import type { Extension, FhirResource } from '../../../packages/fhir/r4.ts'

/** What the bridge keeps of a resource travels with it (`meta.extension`), so that it is there in whatever store is used. */
export const ownExtensions = ({ meta }: FhirResource, url: string): readonly Extension[] =>
  meta?.extension?.filter((one) => one.url === url) ?? []

export const ownTime = (resource: FhirResource, url: string): string | undefined =>
  ownExtensions(resource, url)[0]?.valueDateTime

/** The resource with these in the place of all that it has of the same addresses. */
export function withOwnExtensions(
  resource: FhirResource,
  urls: readonly string[],
  own: readonly Extension[],
): FhirResource {
  const { extension = [], ...meta } = resource.meta ?? {}
  const all = [...extension.filter(({ url }) => !urls.includes(url)), ...own]
  return { ...resource, meta: all.length === 0 ? meta : { ...meta, extension: all } }
}
