import type { FhirResource } from '../../../packages/fhir/r4.ts'
import type { Write } from '../mapping/mapped.ts'
import type { Stored } from './stored.ts'
import { isOfSameTime } from './time-of-result.ts'

/**
 * A result that is stored on its own and that the message tells as a part of a panel (`toldIn`) is taken back, and leaves
 * the report that has the panel. One of another time is another measurement, and stays.
 */
export function withoutToldTwice(writes: readonly Write[], stored: Stored): readonly Write[] {
  const parts = writes.filter(({ toldIn }) => toldIn !== undefined)
  if (parts.length === 0) return writes
  const twice = new Set(parts.filter((part) => isSameMeasurement(part.resource, stored.get(part.fullUrl))))
  const others = writes.filter((write) => write.toldIn === undefined || twice.has(write))
  const byPanel = Map.groupBy(twice, ({ toldIn }) => toldIn)
  return twice.size === 0 ? others : others.map((write) => withoutResults(write, byPanel))
}

const isSameMeasurement = (said: FhirResource, there: FhirResource | undefined): boolean =>
  said.resourceType === 'Observation' && there?.resourceType === 'Observation' && isOfSameTime(said, there)

function withoutResults(write: Write, byPanel: ReadonlyMap<string | undefined, readonly Write[]>): Write {
  const { resource, removes } = write
  if (resource.resourceType !== 'DiagnosticReport') return write
  const parts = resource.result?.flatMap(({ reference }) => byPanel.get(reference) ?? []) ?? []
  const gone = parts.map(({ fullUrl }) => ({ element: 'result', where: { reference: fullUrl } }))
  return gone.length === 0 ? write : { ...write, removes: [...removes, ...gone] }
}
