import type { FhirResource, Reference } from '../../../packages/fhir/r4.ts'
import type { Write } from '../mapping/mapped.ts'
import { patientOf } from '../mapping/patient-of.ts'
import type { Stored } from './stored.ts'

/**
 * Whether a write is of a visit that became another patient's (A45) after its message was said: the message does not take the
 * visit back, and so it does not take what went along with it. What it tells for the first time is its patient's, without the visit.
 * @param late the `fullUrl`s of what was said later
 */
export function ofMovedVisits(
  writes: readonly Write[],
  stored: Stored,
  late: ReadonlySet<string>,
): (write: Write) => boolean {
  const moved = new Set(
    writes.filter((write) => late.has(write.fullUrl) && isMoved(write, stored)).map(({ fullUrl }) => fullUrl),
  )
  return moved.size === 0 ? () => false : ({ resource }) => moved.has(visitOf(resource) ?? '')
}

/** Of what moved, only its patient and its visit are known to be outdated; without either it adds what nobody has said. */
export function withoutVisit(write: Write): Write {
  const { encounter: _visit, ...resource } = write.resource as FhirResource & { encounter?: Reference }
  return { ...write, resource }
}

function isMoved({ resource, fullUrl }: Write, stored: Stored): boolean {
  const there = resource.resourceType === 'Encounter' ? stored.get(fullUrl) : undefined
  const [now, said] = [there && patientOf(there)?.reference, patientOf(resource)?.reference]
  if (now === undefined || said === undefined) return false
  const record = stored.get(said)
  const isReplaced = record?.resourceType === 'Patient' && record.link?.some(({ other }) => other.reference === now)
  return isReplaced !== true && now !== (record === undefined ? said : `Patient/${record.id}`)
}

const visitOf = (resource: FhirResource): string | undefined =>
  'encounter' in resource ? resource.encounter?.reference : undefined
