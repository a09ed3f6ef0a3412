import { edit, raw, type Message, type PathText, type Segment } from '../../../../packages/hl7/index.ts'
import type { Mapped, Mapping, Write } from '../../mapping/mapped.ts'
import { elementsOf, type ElementId } from './transaction-elements.ts'

/** By the place of a field (`2-5`: the third segment, field 5), the elements that it became. */
export type Trace = ReadonlyMap<string, readonly ElementId[]>

/** So many segments are mapped in all to find it out; of a very long message only the first fields are told. */
const segmentsMapped = 6_000

/**
 * What each field became: the message is mapped again with the field changed, and the elements that come out otherwise
 * are its own. It holds for whatever rule stands behind a field, because it asks the rule itself.
 */
export function traceFields(message: Message, mapped: Mapped, map: (changed: Message) => Mapping): Trace {
  const before = allElements(mapped.writes, new Map())
  const trace = new Map<string, readonly ElementId[]>()
  let left = Math.floor(segmentsMapped / Math.max(1, message.all.length))
  for (const { place, path, sent } of fieldsOf(message)) {
    if (left-- <= 0) break
    for (const value of [altered(sent, message), '']) {
      const after = map(edit(message).setField(path, raw(value)).message())
      const changed = after.refused === undefined ? changedElements(mapped, before, after) : []
      if (changed.length === 0) continue
      trace.set(place, changed)
      break
    }
  }
  return trace
}

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
    if (segment.name === '') continue
    for (let field = segment.name === 'MSH' ? 3 : 1; field <= segment.lastField; field++) {
      const sent = segment.rawField(field) ?? ''
      if (sent === '' || (segment.name === 'MSH' && field === 9)) continue
      // Sound: a name, an index and a number are a path.
      const path = `${segment.name}[${occurrence}]-${field}` as PathText
      yield { place: placeOf(index, field), path, sent }
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
    const other = [...left.values()].find((one) => one.resource.resourceType === resource.resourceType)
    if (other === undefined) continue
    same.set(fullUrl, other)
    left.delete(other.fullUrl)
  }
  return same
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
