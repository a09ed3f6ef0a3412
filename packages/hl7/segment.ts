import { leaf, nth, Part, type Value } from './part.ts'
import type { Syntax } from './syntax.ts'

/** One segment over the text of its message. Nothing is split before it is asked for. */
export class Segment {
  /** The name in capitals, as `PID`, or empty for a line that has none. What was sent is in `raw`. */
  readonly name: string
  readonly raw: string
  readonly syntax: Syntax
  readonly #isHeader: boolean
  /** Where each piece ends, as far as anyone has asked; the last is the end of the segment. */
  #ends: number[] | undefined

  constructor(raw: string, syntax: Syntax) {
    this.raw = raw
    this.syntax = syntax
    this.name = nameOf(raw, syntax.delimiters.field)
    this.#isHeader = isHeader(this.name)
  }

  /** Whether a path can lead to it: a name of one, two or four signs is read, but is none. */
  get isNamed(): boolean {
    return isName(this.name)
  }

  /** The number of the last field that was sent. It is counted anew whenever somebody asks. */
  get lastField(): number {
    return this.raw.split(this.syntax.delimiters.field).length - (this.#isHeader ? 0 : 1)
  }

  /** The raw text of a field with all its repetitions; undefined when it was not sent. */
  rawField(number: number): string | undefined {
    if (number < 1) return undefined
    if (!this.#isHeader) return this.#piece(number)
    // In a header the separator itself is the first field.
    return number === 1 ? this.syntax.delimiters.field : this.#piece(number - 1)
  }

  /** Every repetition of a field that holds something; an empty or absent field has none. */
  repetitions(number: number): Part[] {
    const raw = this.rawField(number)
    if (raw === undefined || raw === '') return []
    if (this.#isVerbatim(number)) return [new Part(raw, 2, this.syntax)]
    const { repetition } = this.syntax.delimiters
    if (repetition === '' || !raw.includes(repetition)) return [new Part(raw, 0, this.syntax)]
    return raw.split(repetition).map((piece) => new Part(piece, 0, this.syntax))
  }

  /** One repetition of a field, the first unless said otherwise; undefined when it was not sent. */
  part(number: number, repetition = 0): Part | undefined {
    const raw = this.#rawRepetition(number, repetition)
    return raw === undefined ? undefined : new Part(raw, this.#isVerbatim(number) ? 2 : 0, this.syntax)
  }

  /** The value at a place; component, sub-component (from 1) and repetition (from 0) are the first unless given. */
  value(number: number, component = 1, subcomponent = 1, repetition = 0): Value {
    const raw = this.#rawRepetition(number, repetition)
    if (raw === undefined) return undefined
    if (this.#isVerbatim(number)) return component === 1 && subcomponent === 1 ? raw : undefined
    const { delimiters } = this.syntax
    const inComponent = nth(raw, delimiters.component, component)
    if (inComponent === undefined) return undefined
    const inSubcomponent = nth(inComponent, delimiters.subcomponent, subcomponent)
    return inSubcomponent === undefined ? undefined : leaf(inSubcomponent, this.syntax)
  }

  /** The value when it says something; undefined for absent, empty and `""`. */
  text(number: number, component = 1, subcomponent = 1, repetition = 0): string | undefined {
    return this.value(number, component, subcomponent, repetition) || undefined
  }

  #rawRepetition(number: number, repetition: number): string | undefined {
    const raw = this.rawField(number)
    if (raw === undefined || this.#isVerbatim(number)) return repetition === 0 ? raw : undefined
    return nth(raw, this.syntax.delimiters.repetition, repetition + 1)
  }

  /** MSH-1 and MSH-2 hold the separators, so they cannot be split by them. */
  #isVerbatim(number: number): boolean {
    return number <= 2 && this.#isHeader
  }

  /** The piece with that index between field separators. What was found on the way is remembered. */
  #piece(index: number): string | undefined {
    const ends = (this.#ends ??= [])
    let from = ends.length === 0 ? 0 : (ends[ends.length - 1] ?? 0) + 1
    while (ends.length <= index && from <= this.raw.length) {
      const at = this.raw.indexOf(this.syntax.delimiters.field, from)
      const end = at < 0 ? this.raw.length : at
      ends.push(end)
      from = end + 1
    }
    const end = ends[index]
    if (end === undefined) return undefined
    return this.raw.slice(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, end)
  }
}

export const isHeader = (name: string): boolean => name === 'MSH' || name === 'BHS' || name === 'FHS'

function nameOf(raw: string, separator: string): string {
  const end = raw.indexOf(separator)
  const sent = end < 0 ? raw : raw.slice(0, end)
  if (isName(sent)) return sent
  const trimmed = sent.slice(0, 20).trim()
  return /^[A-Za-z0-9]{1,4}$/.test(trimmed) ? trimmed.toUpperCase() : ''
}

/** Three signs, the first a capital letter, the others capitals or digits. */
export function isName(name: string): boolean {
  if (name.length !== 3) return false
  for (let at = 0; at < 3; at++) {
    const sign = name.charCodeAt(at)
    const isCapital = sign >= 65 && sign <= 90
    if (!isCapital && (at === 0 || sign < 48 || sign > 57)) return false
  }
  return true
}
