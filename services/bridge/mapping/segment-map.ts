import type { Part, Segment } from '../../../packages/hl7/index.ts'
import { type At, at } from './at.ts'
import type { Draft } from './draft.ts'
import { type ElementPath, elementPath, setElement } from './element-path.ts'
import type { ItemRemoval } from './mapped.ts'

/** A table of fields: one row says where a field of a segment goes and by which rule. The reference is made of them. */
export interface SegmentMap {
  readonly segment: string
  readonly resource: string
  readonly rows: readonly Row[]
}

export interface Row {
  readonly field: number
  /** HL7's name of the field. */
  readonly name: string
  /** `gender`, `period.start`; `name[]` takes one item a repetition; `extension(url)` one extension a repetition. */
  readonly to: string
  /** `to`, cut up when the table is made and not for every message. */
  readonly path: ElementPath
  /** A data type (`dt/`), a code map (`v/`), or a rule that stands beside the table. */
  readonly by: (part: Part, place: At) => unknown
  /** What `""` removes, where it is less than the whole element; an empty list: nothing. */
  readonly clears?: readonly ItemRemoval[]
  /** Whether a value that gives none does as `""` does: the N of a field that said Y. */
  readonly isCleared?: (part: Part) => boolean
  /** A value that cannot be read is kept beside the element as it was sent. */
  readonly keepsOriginal?: boolean
}

/** What a segment says about a resource. */
export interface Said {
  readonly elements: Record<string, unknown>
  readonly deletes: string[]
  readonly removes: ItemRemoval[]
}

/**
 * Reads a segment by its table. An empty field says nothing, `""` deletes, and a value that means nothing in FHIR is
 * left out (the rule has warned).
 */
export function readSegment({ rows }: SegmentMap, segment: Segment, draft: Draft, said: Said = nothingSaid()): Said {
  for (const row of rows) {
    const raw = segment.rawField(row.field)
    if (raw === undefined || raw === '') continue
    if (raw === '""') {
      if (row.clears === undefined) said.deletes.push(ownUrl(row.to, draft).replace('[]', ''))
      else said.removes.push(...row.clears)
      continue
    }
    readField(row, segment, draft, said)
  }
  return said
}

export const nothingSaid = (): Said => ({ elements: {}, deletes: [], removes: [] })

/** `row(8, 'Administrative Sex', 'gender', gender)` */
export const row = (
  field: number,
  name: string,
  to: string,
  by: (part: Part, place: At) => unknown,
  ...clears: readonly ItemRemoval[]
): Row => ({ field, name, to, path: elementPath(to), by, ...(clears.length === 0 ? {} : { clears }) })

/** A row for a date or time: one that cannot be read is left out, and kept as it was sent in an extension. */
export const dateRow = (field: number, name: string, to: string, by: Row['by']): Row => ({
  field,
  name,
  to,
  path: elementPath(to),
  by,
  keepsOriginal: true,
})

function readField(entry: Row, segment: Segment, draft: Draft, said: Said): void {
  const { field, path } = entry
  if (!path.isList) {
    const part = segment.part(field)
    if (part !== undefined) readPart(entry, part, at(draft, segment, field), said)
    return
  }
  let repetition = 0
  for (const part of segment.repetitions(field)) readPart(entry, part, at(draft, segment, field, repetition++), said)
}

function readPart(entry: Row, part: Part, place: At, said: Said): void {
  if (part.isEmpty || part.isNull) return
  const { path, by, keepsOriginal, isCleared, clears = [], to } = entry
  const value = by(part, place)
  if (value !== undefined) setElement(said.elements, path, value)
  else if (keepsOriginal === true) keepOriginal(to, part, place.draft, said)
  else if (isCleared?.(part) === true) said.removes.push(...clears)
}

/** The extension with what was sent in the place of a date or a number, where it is none. */
export const originalValue = 'original-value'

function keepOriginal(to: string, part: Part, draft: Draft, { elements }: Said): void {
  const sent = part.text(1)
  // Zeros are how senders write that they do not know.
  if (sent === undefined || /^[0\s]*$/.test(sent)) return
  const beside = elementPath(to.replace(/[^.]+$/, '_$&'))
  setElement(elements, beside, { extension: [{ url: draft.extensionUrl(originalValue), valueString: sent }] })
}

/** `extension(own:race)` with the address that it has here. */
const ownUrl = (to: string, draft: Draft): string =>
  to.replace(/^extension\(own:(.*)\)$/, (_all, name: string) => `extension(${draft.extensionUrl(name)})`)
