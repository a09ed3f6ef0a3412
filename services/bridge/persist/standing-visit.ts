import type { Encounter, Reference } from '../../../packages/fhir/r4.ts'
import type { Write } from '../mapping/mapped.ts'
import type { FindDeps } from './find-deps.ts'
import type { StoredResource } from './stored.ts'

/** More merges one after the other than any visit has seen. */
const mergesMax = 10

/** Whoever speaks of a visit that was merged into another (A42) means that one. */
export async function standingVisit(
  visit: StoredResource,
  signal: AbortSignal,
  { store, breakers }: FindDeps,
): Promise<StoredResource> {
  let standing = visit
  for (let merges = 0; merges < mergesMax; merges++) {
    const [type, id] = survivingVisit(standing)?.reference?.split('/') ?? []
    if (type !== 'Encounter' || id === undefined) break
    const next = await breakers.call('fhir-server', () => store.read<StoredResource>(type, id, { signal }), signal)
    if (next === undefined) break
    standing = next
  }
  return standing
}

/** The visit that took the place of one; undefined for one that stands. */
export function survivingVisit(visit: Write['resource']): Reference | undefined {
  const { resourceType, status, partOf } = visit as Partial<Encounter>
  return resourceType === 'Encounter' && status === 'entered-in-error' ? partOf : undefined
}

/** It says itself which visit stands: the one that goes, and the one that stays, also where that had gone before. */
export const isMergeOfVisit = ({ resource, deletes }: Write): boolean =>
  survivingVisit(resource) !== undefined || deletes.includes('partOf')
