import type { FhirResource, Identifier, Slot } from '../../../packages/fhir/r4.ts'
import type { Write } from './mapped.ts'

/** The last part of the system of marks: which appointment has taken a slot. */
export const markKind = 'taken-by'

export const isMark = ({ system }: Identifier): boolean => system?.endsWith(`/${markKind}`) === true

/**
 * The joined slot of a message by which it would be free. One that another appointment has taken as well (a group, or one
 * too many) stays taken; and one that was blocked (S23) is not opened (S24) because an appointment leaves it.
 */
export function withStatusOfSlot(merged: FhirResource, write: Write, stored: FhirResource): FhirResource {
  if (merged.resourceType !== 'Slot' || stored.resourceType !== 'Slot' || merged.status !== 'free') return merged
  const isLeft = write.removes.some(({ element }) => element === 'identifier')
  const status = isLeft && stored.status === 'busy-unavailable' ? stored.status : withoutIt(merged, stored)
  return status === merged.status ? merged : { ...merged, status }
}

function withoutIt({ identifier = [] }: Slot, stored: Slot): Slot['status'] {
  if (!identifier.some(isMark)) return 'free'
  return stored.status === 'busy-tentative' ? stored.status : 'busy'
}
