import type { DocumentReference, Reference } from '../../../packages/fhir/r4.ts'
import type { Write } from '../mapping/mapped.ts'
import { type Brought, withBrought, type WrittenTo } from './brought.ts'
import type { FindDeps } from './find-deps.ts'
import type { Stored, StoredResource } from './stored.ts'
import { brings, ofVisit } from './of-visit.ts'
import { survivingVisit } from './standing-visit.ts'

/**
 * What was found and done in a visit that is merged into another (A42) was found and done in that one: it goes there in the
 * same transaction.
 */
export async function withMergedVisits(
  writes: readonly Write[],
  stored: Stored,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<WrittenTo> {
  const merged = writes.flatMap((write) => {
    const into = survivingVisit(write.resource)
    const before = into === undefined ? undefined : stored.get(write.fullUrl)
    return into === undefined || before === undefined ? [] : [{ write, into, before }]
  })
  if (merged.length === 0) return { writes, stored }
  const found = await Promise.all(
    merged.map(async ({ write, into, before }) => {
      const all = await ofVisit(before, {}, signal, deps)
      return all.map((one) => goingTo(into, one, before, write))
    }),
  )
  return withBrought(writes, stored, found.flat())
}

function goingTo(into: Reference, one: StoredResource, visit: StoredResource, by: Write): Brought {
  if (one.resourceType !== 'DocumentReference') return brings(one, { encounter: into }, by)
  // A document may be of several visits.
  const visits = (one as DocumentReference).context?.encounter ?? []
  const encounter = visits.map((old) => (old.reference === `Encounter/${visit.id}` ? into : old))
  return brings(one, { context: { encounter } }, by)
}
