import type { Observation } from '../../../packages/fhir/r4.ts'
import type { FindDeps } from './find-deps.ts'
import { ifAble } from './if-able.ts'
import type { StoredResource } from './stored.ts'

export type StoredResult = Observation & { readonly id: string }

/** The ids of the results that a stored report has. */
export function resultIdsOf(report: StoredResource | undefined): readonly string[] {
  if (report?.resourceType !== 'DiagnosticReport') return []
  return (report.result ?? []).flatMap(({ reference = '' }) => {
    const [type, id] = reference.split('/')
    return type === 'Observation' && id !== undefined ? [id] : []
  })
}

/** Results that a message changes without naming them, because of what it says of their report. */
export const findResults = (
  ids: readonly string[],
  signal: AbortSignal,
  deps: FindDeps,
): Promise<readonly StoredResult[]> => findByIds<StoredResult>('Observation', ids, signal, deps)

export async function findByIds<T extends StoredResource>(
  type: T['resourceType'],
  ids: readonly string[],
  signal: AbortSignal,
  deps: FindDeps,
): Promise<readonly T[]> {
  const pages = Array.from({ length: Math.ceil(ids.length / pageMax) }, (_, at) =>
    ids.slice(at * pageMax, (at + 1) * pageMax),
  )
  const search = (page: readonly string[]) => deps.store.searchAll<T>(type, idsOf(page), { signal })
  // Where the server cannot search so, what they belong to goes alone.
  const found = await Promise.all(pages.map((page) => ifAble(() => search(page), signal, deps)))
  return found.flat()
}

/** As many as are asked for in one address. */
const pageMax = 100

const idsOf = (ids: readonly string[]) => ({ _id: ids.join(','), _count: String(ids.length) })
