import type { Delimiters } from './delimiters.ts'
import { isHeader } from './segment.ts'

export interface Place {
  readonly field: number
  readonly repetition: number | undefined
  readonly component: number | undefined
  readonly subcomponent: number | undefined
}

/** The segment's text with another text at a place; a level that is left out is replaced whole. */
export function replaceAt(segment: string, place: Place, text: string, delimiters: Delimiters): string {
  const index = isHeader(segment.slice(0, 3).toUpperCase()) ? place.field - 1 : place.field
  return replacePiece(segment, delimiters.field, index, (field) =>
    replaceLevel(field, delimiters.repetition, place.repetition, text, (repetition) =>
      replaceLevel(repetition, delimiters.component, minusOne(place.component), text, (component) =>
        replaceLevel(component, delimiters.subcomponent, minusOne(place.subcomponent), text, () => text),
      ),
    ),
  )
}

const minusOne = (number: number | undefined) => (number === undefined ? undefined : number - 1)

function replaceLevel(
  whole: string,
  separator: string,
  index: number | undefined,
  text: string,
  inner: (piece: string) => string,
): string {
  return index === undefined ? text : replacePiece(whole, separator, index, inner)
}

function replacePiece(whole: string, separator: string, index: number, inner: (piece: string) => string): string {
  if (separator === '') return index === 0 ? inner(whole) : whole
  const pieces = whole.split(separator)
  while (pieces.length <= index) pieces.push('')
  pieces[index] = inner(pieces[index] ?? '')
  return pieces.join(separator)
}

export function trimEnd(texts: readonly string[]): readonly string[] {
  let last = texts.length
  while (last > 1 && texts[last - 1] === '') last--
  return texts.slice(0, last)
}
