import { escapeControls, escapeText } from './escapes.ts'
import type { Delimiters } from './delimiters.ts'

/** `undefined` and `''` leave the place empty, `null` writes `""`. Texts are escaped. */
export type Atom = string | number | null | undefined
/** A component: one value, or a list of sub-components. */
export type ComponentValue = Atom | readonly Atom[]
/** What a field holds: one value, a list of components, several repetitions, or raw text taken from a message. */
export type FieldValue = Atom | readonly ComponentValue[] | Repeated | Raw

export interface Repeated {
  readonly repetitions: readonly FieldValue[]
}

/** Text with its separators, from a message with the same delimiters. */
export interface Raw {
  readonly raw: string | undefined
}

/** The fields of a segment: in order from the first, or by HL7's own numbers. */
export type Fields = readonly FieldValue[] | Readonly<Record<number, FieldValue>>

/** A field with several repetitions. */
export const repeated = (repetitions: readonly FieldValue[]): Repeated => ({ repetitions })

/** A field copied as it was sent, separators and escapes included. */
export const raw = (text: string | undefined): Raw => ({ raw: text })

/** The raw text of a field. Nothing in the values can add a field, a segment or a frame. */
export function formatField(value: FieldValue, delimiters: Delimiters): string {
  if (isList(value)) {
    return join(
      value.map((component) => formatComponent(component, delimiters)),
      delimiters.component,
    )
  }
  if (typeof value !== 'object' || value === null) return formatAtom(value, delimiters)
  if ('raw' in value) return formatRaw(value.raw ?? '', delimiters)
  return join(
    value.repetitions.map((repetition) => formatField(repetition, delimiters)),
    delimiters.repetition,
  )
}

function formatComponent(value: ComponentValue, delimiters: Delimiters): string {
  if (!isList(value)) return formatAtom(value, delimiters)
  return join(
    value.map((atom) => formatAtom(atom, delimiters)),
    delimiters.subcomponent,
  )
}

export function formatAtom(value: Atom, delimiters: Delimiters): string {
  if (value === undefined) return ''
  return value === null ? '""' : escapeText(String(value), delimiters)
}

/** A field separator in raw text would begin a field of its own. */
function formatRaw(text: string, delimiters: Delimiters): string {
  const inOneField = text.includes(delimiters.field) ? escapeFields(text, delimiters) : text
  return escapeControls(inOneField, delimiters)
}

const escapeFields = (text: string, { field, escape: sign }: Delimiters) =>
  text.replaceAll(field, () => (sign === '' ? ' ' : `${sign}F${sign}`))

/** Empty places at the end say nothing and are left out. A message without that separator gets the first place only. */
function join(pieces: readonly string[], separator: string): string {
  if (separator === '') return pieces[0] ?? ''
  let last = pieces.length
  while (last > 0 && pieces[last - 1] === '') last--
  return pieces.slice(0, last).join(separator)
}

const isList = (value: FieldValue): value is readonly ComponentValue[] => Array.isArray(value)
