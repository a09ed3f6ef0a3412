import { unavailable } from '../../packages/faults/fault.ts'
import type { Bundle, Resource } from '../../packages/fhir/r4.ts'

/** The matches of a searchset. */
export const matchesOf = ({ entry = [] }: Bundle): Resource[] =>
  entry
    .filter(({ search }) => search?.mode === undefined || search.mode === 'match')
    .map(({ resource }) => resource)
    .filter((resource) => resource !== undefined)

/** Whether it is only a part of what was found. */
export const hasMore = ({ link }: Bundle): boolean => link?.some(({ relation }) => relation === 'next') === true

/** A resource of the type, or the fault of a server that answers with something else. */
export function expectResource(value: unknown, type: string): Resource {
  if (typeof value !== 'object' || value === null || !('resourceType' in value) || value.resourceType !== type) {
    throw broken(`no ${type} in the answer`)
  }
  // Sound as far as its kind was just checked; its members are read with care by whoever uses them.
  return value as Resource
}

/** Sound: it is one by its kind. */
export const expectBundle = (value: unknown): Bundle => expectResource(value, 'Bundle') as Bundle

export type StoredResource<T extends Resource = Resource> = T & { readonly id: string }

/** The same, of one that is stored. */
export function expectStored<T extends Resource>(value: unknown, type: string): StoredResource<T> {
  // Sound: whoever asks for a T asks by its type.
  const resource = expectResource(value, type) as T
  const { id } = resource
  if (typeof id !== 'string') throw broken(`a ${type} without id in the answer`)
  return { ...resource, id }
}

export const typeOf = (resource: Resource): string => (resource as { readonly resourceType: string }).resourceType

export const broken = (logged: string) =>
  unavailable('The FHIR server gave an answer that cannot be used.', { code: 'BAD_GATEWAY', logged })
