import type { Write } from '../mapping/mapped.ts'
import { toldAnew, unknownValue } from '../mapping/observation.ts'
import { type Brought, withBrought, type WrittenTo } from './brought.ts'
import type { FindDeps } from './find-deps.ts'
import { brings } from './of-visit.ts'
import { findResults, resultIdsOf, type StoredResult } from './results-of-report.ts'
import type { Stored } from './stored.ts'

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
  const ids = resultIdsOf(stored.get(fullUrl))
  return ids.length === 0 ? [] : [{ report, ids }]
}

async function resultsOf({ report, ids }: Cancelled, signal: AbortSignal, deps: FindDeps): Promise<Brought[]> {
  const found = await findResults(ids, signal, deps)
  return found
    .filter(({ status }) => status !== 'entered-in-error' && status !== 'cancelled')
    .map((result) => cancel(result, report))
}

function cancel(result: StoredResult, report: Write): Brought {
  const { write, resource } = brings(result, { status: 'cancelled', dataAbsentReason: unknownValue }, report)
  return { resource, write: { ...write, deletes: toldAnew, isTold: true } }
}
