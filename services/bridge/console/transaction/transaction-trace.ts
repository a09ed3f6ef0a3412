import { setImmediate } from 'node:timers/promises'
import { edit, raw, type Message, type PathText, type Segment } from '../../../../packages/hl7/index.ts'
import type { Mapped, Mapping, Write } from '../../mapping/mapped.ts'
import { filledFields } from './filled-fields.ts'
import { elementsOf, type ElementId } from './transaction-elements.ts'

/** By the place of a field (`2-5`: the third segment, field 5), the elements that it became. */
export type Trace = ReadonlyMap<string, readonly ElementId[]>

/** The work of so many elements is done to find it out; of a very long message only the first fields are told. */
const elementsMapped = 200_000
// Measured: mapping a message at all costs as much as some two hundred elements, and 20 bytes that become none (fields of
// the sender's own) as much as an element; of an attachment it is ten times as many.
const elementsAMapping = 200
const bytesAnElement = 20

/**
 * What each field became: the message is mapped again with the field changed, and the elements that come out otherwise
 * are its own. It holds for whatever rule stands behind a field, because it asks the rule itself. Between two of them
 * whoever waits has his turn: a page must not keep senders from their answers.
 */
export async function traceFields(
  message: Message,
  mapped: Mapped,
  map: (changed: Message) => Mapping,
): Promise<Trace> {
  const before = allElements(mapped.writes, new Map())
  const trace = new Map<string, readonly ElementId[]>()
  let left = mappingsOf(message, before.size)
  for (const { place, path, sent } of fieldsOf(message)) {
    for (const change of [altered, () => '']) {
      if (left-- <= 0) return trace
      await setImmediate()
      const after = map(
        edit(message)
          .setField(path, raw(change(sent, message)))
          .message(),
      )
      const changed = after.refused === undefined ? changedElements(mapped, before, after) : []
      if (changed.length === 0) continue
      trace.set(place, changed)
      break
    }
  }
  return trace
}

/** How often the message can be mapped again for the work that there is. */
const mappingsOf = ({ bytes }: Message, elements: number): number =>
  Math.floor(elementsMapped / (elementsAMapping + elements + bytes.length / bytesAnElement))

interface SentField {
  readonly place: string
  readonly path: PathText
  readonly sent: string
}

/** Every field that says something, but for the separators and the type, which shape everything. */
function* fieldsOf(message: Message): Iterable<SentField> {
  const counts = new Map<string, number>()
  for (const [index, segment] of message.all.entries()) {
    const occurrence = counts.get(segment.name) ?? 0
    counts.set(segment.name, occurrence + 1)
    if (!segment.isNamed) continue
    for (const field of filledFields(segment)) {
      if (segment.name === 'MSH' && field === 9) continue
      // Sound: a name, an index and a number are a path.
      const path = `${segment.name}[${occurrence}]-${field}` as PathText
      yield { place: placeOf(index, field), path, sent: segment.rawField(field) ?? '' }
    }
  }
}

export const placeOf = (segment: number, field: number): string => `${segment}-${field}`

/** Every value of the field becomes another one: names and numbers differ, codes and dates become none. */
function altered(sent: string, { delimiters }: Pick<Segment['syntax'], 'delimiters'>): string {
  const separators = [delimiters.repetition, delimiters.component, delimiters.subcomponent].filter(Boolean)
  const between = new RegExp(`([${separators.map((sign) => `\\${sign}`).join('')}])`)
  return sent
    .split(between)
    .map((piece) => (piece === '' || piece === '""' || separators.includes(piece) ? piece : `${piece}7`))
    .join('')
}

function changedElements(
  { writes }: Mapped,
  before: ReadonlyMap<ElementId, string>,
  after: Exclude<Mapping, { refused: unknown }>,
): ElementId[] {
  const renamed = sameWrites(writes, after.writes)
  const now = allElements(
    writes.map(({ fullUrl }) => renamed.get(fullUrl)),
    new Map([...renamed].map(([url, write]) => [write.fullUrl, url])),
  )
  return [...before].filter(([id, value]) => now.get(id) !== value).map(([id]) => id)
}

/** Which write stands for which: by their address, and where a key has changed, by type and order. */
function sameWrites(writes: readonly Write[], others: readonly Write[]): Map<string, Write> {
  const left = new Map(others.map((write) => [write.fullUrl, write]))
  const same = new Map<string, Write>()
  for (const { fullUrl } of writes) {
    const other = left.get(fullUrl)
    if (other === undefined) continue
    same.set(fullUrl, other)
    left.delete(fullUrl)
  }
  for (const { fullUrl, resource } of writes) {
    if (same.has(fullUrl)) continue
    const other = firstOfType(left.values(), resource.resourceType)
    if (other === undefined) continue
    same.set(fullUrl, other)
    left.delete(other.fullUrl)
  }
  return same
}

function firstOfType(writes: Iterable<Write>, type: string): Write | undefined {
  for (const write of writes) if (write.resource.resourceType === type) return write
  return undefined
}

/** Addresses inside of the message are told by their first names, so that a changed key changes no reference. */
function allElements(
  writes: readonly (Write | undefined)[],
  names: ReadonlyMap<string, string>,
): ReadonlyMap<ElementId, string> {
  return new Map(
    writes.flatMap((write, at) =>
      write === undefined
        ? []
        : elementsOf(write, at).map(({ id, value }): [ElementId, string] => [id, names.get(value) ?? value]),
    ),
  )
}
