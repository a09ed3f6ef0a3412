import type { Appointment, FhirResource, Slot } from '../../../packages/fhir/r4.ts'
import { ownMarks } from '../mapping/families/siu/slots.ts'
import { identifierKey } from '../mapping/keys.ts'
import type { ItemRemoval, Key, Write } from '../mapping/mapped.ts'
import { nameUuid } from '../mapping/name-uuid.ts'
import { type Brought, withBrought, type WrittenTo } from './brought.ts'
import type { FindDeps } from './find-deps.ts'
import { ifAble } from './if-able.ts'
import { referenceTo, type Stored, type StoredResource } from './stored.ts'

/**
 * An appointment that moves to another doctor, or is called off without a word of whom it needed, does not name the slots
 * that it had taken: they are found by what the store has of the appointment, and are free. Those that another appointment
 * took under a number which this message has, too, are not.
 */
export async function withLeftSlots(
  sent: readonly Write[],
  stored: Stored,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<WrittenTo> {
  const writes = withoutOthersSlots(withoutSlotsOfOver(sent, stored), stored)
  const unnamed = writes.flatMap((write) => leftBy(write, stored))
  const left = [...unnamed, ...leftByName(writes, stored)]
  if (left.length === 0) return { writes, stored }
  const slots = unnamed.length === 0 ? [] : await readSlots(unnamed, signal, deps)
  const freed = unnamed.flatMap((one) => freedBy(one, slots))
  return withBrought(
    writes.map((write) => withoutSlots(write, left)),
    stored,
    freed,
  )
}

/** What is over, and not said to take place after all, takes no slot. All that a message takes are of its one appointment. */
function withoutSlotsOfOver(writes: readonly Write[], stored: Stored): readonly Write[] {
  const isOfOver = ({ resource, fullUrl }: Write) => {
    const there = stored.get(fullUrl)
    // Sound: what is merged need not say its status.
    const isSaid = (resource as Partial<Appointment>).status !== undefined
    return isAppointment(resource) && isAppointment(there) && !isSaid && isOver(there)
  }
  if (!writes.some(isOfOver)) return writes
  return writes
    .filter(({ resource, mode }) => !isSlot(resource) || mode === 'amend')
    .map((write) => (isOfOver(write) ? takingNone(write) : write))
}

function takingNone(write: Write): Write {
  // Sound: only appointments take slots.
  const { slot: _slot, ...resource } = write.resource as Appointment
  return { ...write, resource }
}

/** Without those that would free a slot which the stored appointment does not have. */
function withoutOthersSlots(writes: readonly Write[], stored: Stored): readonly Write[] {
  const freed = writes.filter(
    ({ resource, mode, fullUrl }) => isSlot(resource) && mode === 'amend' && stored.has(fullUrl),
  )
  if (freed.length === 0) return writes
  const own = new Set(
    writes.flatMap(({ fullUrl }) => {
      const there = stored.get(fullUrl)
      return isAppointment(there) ? (there.slot ?? []).map(({ reference }) => reference) : []
    }),
  )
  const others = new Set(freed.filter(({ fullUrl }) => !own.has(`Slot/${stored.get(fullUrl)?.id}`)))
  return others.size === 0 ? writes : writes.filter((write) => !others.has(write))
}

interface Left {
  readonly id: string
  /** The write of the appointment. */
  readonly by: Write
  /** The numbers under one of which it was taken. A number of the message that another appointment has is none of them. */
  readonly numbers: readonly Key[]
}

/** The slots of the stored appointment that the message does not speak of, where it leaves all that it does not take. */
function leftBy(by: Write, stored: Stored): Left[] {
  const [said, before] = [by.resource, stored.get(by.fullUrl)]
  if (!isAppointment(said) || !isAppointment(before) || !leavesItsSlots(by, said, before)) return []
  const known = new Set([...stored.values()].map(referenceTo))
  return slotsOf(by, before).filter(({ id }) => !known.has(`Slot/${id}`))
}

/** Those whom the message names and does not take: a doctor who is not needed any more (S20). It frees them itself. */
function leftByName(writes: readonly Write[], stored: Stored): Left[] {
  const namedAs = (mode: Write['mode']) =>
    writes.flatMap((write) =>
      isSlot(write.resource) && write.mode === mode ? (stored.get(write.fullUrl)?.id ?? []) : [],
    )
  const [freed, taken] = [new Set(namedAs('amend')), new Set(namedAs('upsert'))]
  return writes.flatMap((by) => {
    const before = stored.get(by.fullUrl)
    return isAppointment(before) ? slotsOf(by, before).filter(({ id }) => freed.has(id) && !taken.has(id)) : []
  })
}

function slotsOf(by: Write, { slot = [], identifier = [] }: Appointment): Left[] {
  const numbers = identifier.map(identifierKey)
  return slot.flatMap(({ reference = '' }) => {
    const [type, id] = reference.split('/')
    return type !== 'Slot' || id === undefined ? [] : [{ id, by, numbers }]
  })
}

const isAppointment = (one: FhirResource | undefined): one is Appointment => one?.resourceType === 'Appointment'

const isSlot = ({ resourceType }: FhirResource): boolean => resourceType === 'Slot'

/** It is over, is at another time, or names all that it needs. */
function leavesItsSlots({ removes }: Write, said: Appointment, before: Appointment): boolean {
  const isMoved = said.start !== undefined && Date.parse(said.start) !== Date.parse(before.start ?? '')
  return isOver(said) || isMoved || removes.some(isOfAllSlots)
}

const isOver = ({ status }: Appointment): boolean => status === 'cancelled' || status === 'entered-in-error'

const isOfAllSlots = ({ element, where }: ItemRemoval): boolean => element === 'slot' && Object.keys(where).length === 0

type StoredSlot = Slot & StoredResource

/** All of them in one round trip. Where the server cannot search so, they stay as they are. */
function readSlots(left: readonly Left[], signal: AbortSignal, deps: FindDeps): Promise<readonly StoredSlot[]> {
  const ids = new Set(left.map(({ id }) => id))
  const criteria = { _id: [...ids].join(','), _count: String(ids.size) }
  return ifAble(() => deps.store.search<StoredSlot>('Slot', criteria, { signal }), signal, deps)
}

/** Without the appointment's mark it was freed before. Whether another has it stands in `slot-status.ts`. */
function freedBy({ id, by, numbers }: Left, slots: readonly StoredSlot[]): Brought[] {
  const slot = slots.find((one) => one.id === id)
  const own = slot === undefined ? [] : ownMarks(slot, numbers)
  if (slot === undefined || own.length === 0) return []
  // Sound: a part of a slot, which is merged into the whole.
  const resource = { resourceType: 'Slot', status: 'free' } as Slot
  const removes = own.map(({ system, value }) => ({ element: 'identifier', where: { system, value } }))
  return [{ resource: slot, write: { ...bare, fullUrl: urlOf(id), resource, removes, broughtBy: by.fullUrl } }]
}

const urlOf = (id: string): string => `urn:uuid:${nameUuid(`Slot/${id}`)}`

const bare = {
  mode: 'amend',
  key: { parameter: 'identifier', system: '', value: '' },
  ...{ defaults: {}, deletes: [] },
} as const

/** The appointment no longer refers to what it has left. */
function withoutSlots(write: Write, left: readonly Left[]): Write {
  const own = left.filter(({ by }) => by === write)
  if (own.length === 0) return write
  const removes = own.map(({ id }) => ({ element: 'slot', where: { reference: `Slot/${id}` } }))
  return { ...write, removes: [...write.removes, ...removes] }
}
