import type { Appointment, Slot } from '../../../packages/fhir/r4.ts'
import { marksOf } from '../mapping/families/siu/slots.ts'
import type { ItemRemoval, Write } from '../mapping/mapped.ts'
import { nameUuid } from '../mapping/name-uuid.ts'
import { alsoStored, type FindDeps, type Stored, type StoredResource } from './find-stored.ts'

/** The writes of a message and what the store has of them, with the slots that its appointment leaves. */
export interface WithLeftSlots {
  readonly writes: readonly Write[]
  readonly stored: Stored
}

/**
 * An appointment that moves to another doctor, or is called off without a word of whom it needed, does not name the slots
 * that it had taken: they are found by what the store has of the appointment, and are free.
 */
export async function withLeftSlots(
  writes: readonly Write[],
  stored: Stored,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<WithLeftSlots> {
  const left = writes.flatMap((write) => leftBy(write, stored))
  if (left.length === 0) return { writes, stored }
  const read = await Promise.all(left.map((one) => readSlot(one, signal, deps)))
  const freed = read.filter((one) => one !== undefined)
  const further = freed.map(({ write, slot }) => [write.fullUrl, slot] as const)
  return {
    writes: [...writes.map((write) => withoutSlots(write, left)), ...freed.map(({ write }) => write)],
    stored: alsoStored(stored, further),
  }
}

interface Left {
  readonly id: string
  /** The write of the appointment. */
  readonly by: Write
}

/** The slots of the stored appointment that the message does not speak of, where it leaves all that it does not take. */
function leftBy(by: Write, stored: Stored): Left[] {
  const { resource, fullUrl } = by
  const before = resource.resourceType === 'Appointment' ? stored.get(fullUrl) : undefined
  if (before?.resourceType !== 'Appointment' || resource.resourceType !== 'Appointment') return []
  if (!leavesItsSlots(by, resource, before)) return []
  const known = new Set([...stored.values()].map(({ resourceType, id }) => `${resourceType}/${id}`))
  return (before.slot ?? []).flatMap(({ reference = '' }) => {
    const [type, id] = reference.split('/')
    return type !== 'Slot' || id === undefined || known.has(reference) ? [] : [{ id, by }]
  })
}

/** It is over, is at another time, or names all that it needs. */
function leavesItsSlots({ removes }: Write, said: Appointment, before: Appointment): boolean {
  const isOver = said.status === 'cancelled' || said.status === 'entered-in-error'
  const isMoved = said.start !== undefined && Date.parse(said.start) !== Date.parse(before.start ?? '')
  return isOver || isMoved || removes.some(isOfAllSlots)
}

const isOfAllSlots = ({ element, where }: ItemRemoval): boolean => element === 'slot' && Object.keys(where).length === 0

/** Without its mark it was freed before; with that of another appointment it is still taken. */
async function readSlot(
  { id, by }: Left,
  signal: AbortSignal,
  { store, breakers }: FindDeps,
): Promise<{ write: Write; slot: StoredResource } | undefined> {
  const slot = await breakers.call(
    'fhir-server',
    () => store.read<Slot & StoredResource>('Slot', id, { signal }),
    signal,
  )
  const { own, others } =
    slot === undefined ? { own: [], others: [] } : marksOf(slot, [by.key, ...(by.otherKeys ?? [])])
  if (slot === undefined || own.length === 0) return undefined
  // Sound: a part of a slot, which is merged into the whole.
  const resource = { resourceType: 'Slot', ...(others.length === 0 ? { status: 'free' } : {}) } as Slot
  const removes = own.map(({ system, value }) => ({ element: 'identifier', where: { system, value } }))
  return { slot, write: { ...bare, fullUrl: urlOf(id), resource, removes, broughtBy: by.fullUrl } }
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
