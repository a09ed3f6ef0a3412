import { faultOf } from '../../../packages/faults/fault.ts'
import type { DiagnosticReport, FhirResource, Observation } from '../../../packages/fhir/r4.ts'
import { cannotSearch } from '../../../ports/fhir-store/cannot-search.ts'
import type { Write } from '../mapping/mapped.ts'
import { toldAnew, unknownValue } from '../mapping/observation.ts'
import { type Brought, withBrought, type WrittenTo } from './brought.ts'
import type { FindDeps } from './find-deps.ts'
import { brings } from './of-visit.ts'
import type { Stored, StoredResource } from './stored.ts'

/**
 * A report that is cancelled (OBR-25 X) has no results, and its message need not name those that it had. They are cancelled
 * with it, as if each were told with X and without a value: a doctor who reads one of them alone does not see the report.
 */
export async function withCancelledResults(
  writes: readonly Write[],
  stored: Stored,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<WrittenTo> {
  const cancelled = writes.flatMap((write) => cancelledBy(write, stored))
  if (cancelled.length === 0) return { writes, stored }
  const found = await Promise.all(cancelled.map((one) => resultsOf(one, signal, deps)))
  const reports = new Set(cancelled.map(({ report }) => report))
  // The files that it presents are the values of its results.
  const emptied = writes.map((write) =>
    reports.has(write) ? { ...write, deletes: [...write.deletes, 'presentedForm'] } : write,
  )
  return withBrought(emptied, stored, found.flat())
}

interface Cancelled {
  readonly report: Write
  /** The ids of the results that it is stored with. */
  readonly ids: readonly string[]
}

function cancelledBy(report: Write, stored: Stored): Cancelled[] {
  const { resource, fullUrl } = report
  if (resource.resourceType !== 'DiagnosticReport' || resource.status !== 'cancelled') return []
  // What the message tells of a result counts for that one, and one that was made contradicts OBR-25.
  if ((resource.result ?? []).length > 0) return []
  // Sound: what was found for a write is of its type.
  const { result = [] } = (stored.get(fullUrl) ?? {}) as Partial<DiagnosticReport>
  const ids = result.flatMap(({ reference = '' }) => {
    const [type, id] = reference.split('/')
    return type === 'Observation' && id !== undefined ? [id] : []
  })
  return ids.length === 0 ? [] : [{ report, ids }]
}

async function resultsOf({ report, ids }: Cancelled, signal: AbortSignal, deps: FindDeps): Promise<Brought[]> {
  const pages = Array.from({ length: Math.ceil(ids.length / pageMax) }, (_, at) =>
    ids.slice(at * pageMax, (at + 1) * pageMax),
  )
  const found = await Promise.all(pages.map((page) => searched(page, signal, deps)))
  return found
    .flat()
    .filter(({ status }) => status !== 'entered-in-error' && status !== 'cancelled')
    .map((result) => cancel(result, report))
}

/** As many as are asked for in one address. */
const pageMax = 100

function cancel(result: Observation & StoredResource, report: Write): Brought {
  const { write, resource } = brings(result, { status: 'cancelled', dataAbsentReason: unknownValue }, report)
  return { resource, write: { ...write, deletes: toldAnew, isTold: true } }
}

async function searched(
  ids: readonly string[],
  signal: AbortSignal,
  { store, breakers }: FindDeps,
): Promise<readonly (Observation & StoredResource)[]> {
  const criteria = { _id: ids.join(','), _count: String(ids.length) }
  try {
    return await breakers.call(
      'fhir-server',
      () => store.search<Observation & FhirResource & { readonly id: string }>('Observation', criteria, { signal }),
      signal,
    )
  } catch (thrown) {
    // A server that cannot search so is no reason to refuse the message: then the report is cancelled alone.
    const fault = faultOf(thrown)
    if (cannotSearch(fault)) return []
    throw fault
  }
}
