import type { Observation } from '../../../packages/fhir/r4.ts'
import type { Write } from '../mapping/mapped.ts'
import { type Brought, withBrought, type WrittenTo } from './brought.ts'
import type { FindDeps } from './find-deps.ts'
import { ifAble } from './if-able.ts'
import { brings } from './of-visit.ts'
import type { Stored, StoredResource } from './stored.ts'

/**
 * What was observed of a dose (a reaction, a judgement of it) was not, where the dose was never given (RXA-21 D). The message need
 * not name it.
 */
export async function withResultsOfDoses(
  writes: readonly Write[],
  stored: Stored,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<WrittenTo> {
  const deleted = writes.flatMap((write) => {
    const before = isMistake(write.resource) ? stored.get(write.fullUrl) : undefined
    return before === undefined || isMistake(before) ? [] : [{ write, before }]
  })
  if (deleted.length === 0) return { writes, stored }
  const found = await Promise.all(deleted.map(({ write, before }) => resultsOf(write, before, signal, deps)))
  return withBrought(writes, stored, found.flat())
}

const isMistake = (resource: Write['resource']): boolean =>
  resource.resourceType === 'Immunization' && resource.status === 'entered-in-error'

/** More than anybody observes of a dose. */
const resultsMax = 100

async function resultsOf(
  write: Write,
  { id }: StoredResource,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<Brought[]> {
  const criteria = { 'part-of': `Immunization/${id}`, _count: String(resultsMax) }
  const search = () => deps.store.search<Observation & StoredResource>('Observation', criteria, { signal })
  // Where the server cannot search so, the dose is taken back alone.
  const found = await ifAble(search, signal, deps)
  return found
    .filter(({ status }) => status !== 'entered-in-error')
    .map((result) => {
      const brought = brings(result, { status: 'entered-in-error' }, write)
      return { ...brought, write: { ...brought.write, isTold: true } }
    })
}
