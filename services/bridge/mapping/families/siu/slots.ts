import type { Identifier, Reference, Schedule, Slot } from '../../../../../packages/fhir/r4.ts'
import type { Draft } from '../../draft.ts'
import { derivedKey, pathKey } from '../../drafted-keys.ts'
import { keyIdentifier, keyText } from '../../keys.ts'
import type { Key } from '../../mapped.ts'
import { nameUuid } from '../../name-uuid.ts'
import { isMark, markKind } from '../../slot-status.ts'
import type { ScheduledResource } from './scheduled-resource.ts'
import { slotTimes, type Times } from './times.ts'

/**
 * The slot of each resource at the time of the appointment, now taken. A slot is told by its schedule and start, so that
 * the next appointment then takes the same one; it carries the appointment's mark, by which it is found and freed when
 * that moves away or is called off.
 */
export function takeSlots(
  resources: readonly ScheduledResource[],
  times: Times | undefined,
  appointment: Key,
  status: Slot['status'],
  draft: Draft,
): Reference[] {
  return resources.flatMap((resource) => {
    const slot = slotOf(resource, times, draft)
    if (slot === undefined) return []
    const mark = markOf(resource, appointment, draft)
    const identifier = [keyIdentifier(slot.key), keyIdentifier(mark)]
    return [draft.put({ ...slot.resource, identifier, status }, { key: slot.key })]
  })
}

/**
 * Frees what the appointment had taken, under whichever of its numbers. What it takes now is put after this, and may be
 * the same slot.
 */
export function freeSlots(resources: readonly ScheduledResource[], appointment: readonly Key[], draft: Draft): void {
  for (const resource of resources) {
    if (resource.actor.reference === undefined) continue
    for (const number of appointment) {
      const mark = markOf(resource, number, draft)
      // Sound: it is merged into a slot that has the rest, and creates none.
      draft.put({ resourceType: 'Slot', status: 'free' } as Slot, {
        key: mark,
        mode: 'amend',
        removes: [{ element: 'identifier', where: { system: mark.system, value: mark.value } }],
      })
    }
  }
}

/** S23, S24: slots without an appointment. */
export function setSlots(
  resources: readonly ScheduledResource[],
  times: Times | undefined,
  status: Slot['status'],
  draft: Draft,
): Reference[] {
  return resources.flatMap((resource) => {
    const slot = slotOf(resource, times, draft)
    if (slot === undefined) return []
    return [draft.put({ ...slot.resource, identifier: [keyIdentifier(slot.key)], status }, { key: slot.key })]
  })
}

/** Undefined for a resource that cannot be found again, and for one without a time. */
function slotOf(resource: ScheduledResource, whole: Times | undefined, draft: Draft) {
  const { actor, segment, fields } = resource
  const times = slotTimes(segment, fields, whole, draft)
  if (actor.reference === undefined || times === undefined) return undefined
  const schedule = putSchedule(actor, draft)
  const key = derivedKey(draft, 'slot', actor.reference, new Date(times.start).toISOString())
  const resourceOf: Omit<Slot, 'status'> = { resourceType: 'Slot', schedule, start: times.start, end: times.end }
  return { key, resource: resourceOf }
}

function putSchedule(actor: Reference, draft: Draft): Reference {
  const key = derivedKey(draft, 'schedule', actor.reference ?? '')
  const resource: Schedule = {
    resourceType: 'Schedule',
    identifier: [keyIdentifier(key)],
    active: true,
    actor: [actor],
  }
  return draft.put(resource, { key, mode: 'ensure' })
}

const markOf = ({ actor }: ScheduledResource, appointment: Key, draft: Draft): Key =>
  pathKey(draft, markKind, `${ofAppointment(appointment)}${nameUuid(actor.reference ?? '')}`)

const ofAppointment = (appointment: Key): string => `${nameUuid(keyText(appointment))}/`

/**
 * The marks of a slot that an appointment of these numbers has put there. One from before marks began with the
 * appointment, and alone, is that of whoever refers to the slot.
 */
export function ownMarks({ identifier = [] }: Pick<Slot, 'identifier'>, numbers: readonly Key[]): Identifier[] {
  const marks = identifier.filter(isMark)
  const isOwn = ({ value = '' }: Identifier) =>
    numbers.some((number) => value.startsWith(ofAppointment(number))) || (marks.length === 1 && !value.includes('/'))
  return marks.filter(isOwn)
}
