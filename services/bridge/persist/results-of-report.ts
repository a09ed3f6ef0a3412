import { faultOf } from '../../../packages/faults/fault.ts'
import type { Observation } from '../../../packages/fhir/r4.ts'
import { cannotSearch } from '../../../ports/fhir-store/cannot-search.ts'
import type { FindDeps } from './find-deps.ts'
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
export async function findResults(
  ids: readonly string[],
  signal: AbortSignal,
  deps: FindDeps,
): Promise<readonly StoredResult[]> {
  const pages = Array.from({ length: Math.ceil(ids.length / pageMax) }, (_, at) =>
    ids.slice(at * pageMax, (at + 1) * pageMax),
  )
  const found = await Promise.all(pages.map((page) => searched(page, signal, deps)))
  return found.flat()
}

/** As many as are asked for in one address. */
const pageMax = 100

async function searched(
  ids: readonly string[],
  signal: AbortSignal,
  { store, breakers }: FindDeps,
): Promise<readonly StoredResult[]> {
  const criteria = { _id: ids.join(','), _count: String(ids.length) }
  try {
    return await breakers.call(
      'fhir-server',
      () => store.searchAll<StoredResult>('Observation', criteria, { signal }),
      signal,
    )
  } catch (thrown) {
    // A server that cannot search so is no reason to refuse the message: then the report goes alone.
    const fault = faultOf(thrown)
    if (cannotSearch(fault)) return []
    throw fault
  }
}
