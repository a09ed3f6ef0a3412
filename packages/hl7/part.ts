import { unescapeText } from './escapes.ts'
import type { Syntax } from './syntax.ts'

/**
 * A value as it was sent. Absent (`undefined`): the message ends before it. Empty (`''`): nothing stands between the
 * separators, so nothing changes. `null`: the sender wrote `""`, which means: delete what you have.
 */
export type Value = string | null | undefined

/** A repetition of a field (depth 0), a component (1) or a sub-component (2), over its raw text. */
export class Part {
  readonly raw: string
  readonly depth: 0 | 1 | 2
  readonly syntax: Syntax
  #parts: readonly string[] | undefined
  /** No component of this repetition is cut further: true for most, and then there is nothing to look for in each. */
  #isFlat = false

  constructor(raw: string, depth: 0 | 1 | 2, syntax: Syntax) {
    this.raw = raw
    this.depth = depth
    this.syntax = syntax
  }

  get isEmpty(): boolean {
    return this.raw === ''
  }

  /** The sender wrote `""`. */
  get isNull(): boolean {
    return this.raw === '""'
  }

  /** Everything in this part as one text, separators included: for fields that hold prose. */
  get whole(): string {
    return this.isNull ? '' : unescapeText(this.raw, this.syntax)
  }

  /** How many components (or sub-components) were sent. */
  get count(): number {
    return this.#split().length
  }

  /** The part with HL7's number, from 1; undefined when it was not sent. */
  part(number: number): Part | undefined {
    if (this.depth === 2) return number === 1 ? this : undefined
    const raw = this.#split()[number - 1]
    return raw === undefined ? undefined : new Part(raw, this.depth === 0 ? 1 : 2, this.syntax)
  }

  /** The value at a component and sub-component number below this part; the first of each unless said otherwise. */
  value(number = 1, subnumber = 1): Value {
    if (this.depth === 2) return number === 1 && subnumber === 1 ? leaf(this.raw, this.syntax) : undefined
    const raw = this.#split()[number - 1]
    if (raw === undefined) return undefined
    if (this.#isFlat || this.depth === 1) return subnumber === 1 ? leaf(raw, this.syntax) : undefined
    const inner = nth(raw, this.syntax.delimiters.subcomponent, subnumber)
    return inner === undefined ? undefined : leaf(inner, this.syntax)
  }

  /** The value when it says something; undefined for absent, empty and `""`. */
  text(number = 1, subnumber = 1): string | undefined {
    return this.value(number, subnumber) || undefined
  }

  /**
   * A component as one text, for types that have no sub-components: a separator that was not escaped is a sign of the
   * text, unless it stands at the end, where it says nothing.
   */
  componentText(number: number): string | undefined {
    if (this.depth !== 0) return this.text(number)
    const raw = this.#split()[number - 1]
    if (raw === undefined) return undefined
    const said = this.#isFlat ? raw : withoutEnd(raw, this.syntax.delimiters.subcomponent)
    return leaf(said, this.syntax) || undefined
  }

  /**
   * All from a component on as one text, for types that end in prose or data: a separator that was not escaped is a sign of it,
   * unless it stands at the end, where it says nothing.
   */
  textFrom(number: number): string | undefined {
    const { component, subcomponent } = this.syntax.delimiters
    const separator = this.depth === 0 ? component : subcomponent
    const raw = this.#split()
      .slice(number - 1)
      .join(separator)
    return leaf(withoutEnd(raw, separator), this.syntax) || undefined
  }

  #split(): readonly string[] {
    if (this.#parts !== undefined) return this.#parts
    const { component, subcomponent } = this.syntax.delimiters
    const separator = this.depth === 0 ? component : this.depth === 1 ? subcomponent : ''
    this.#isFlat = subcomponent === '' || !this.raw.includes(subcomponent)
    this.#parts = separator === '' ? [this.raw] : pieces(this.raw, separator)
    return this.#parts
  }
}

/** As `split`, which takes twice as long for the few short pieces of a field. */
function pieces(raw: string, separator: string): string[] {
  const found: string[] = []
  let from = 0
  for (let at = raw.indexOf(separator); at >= 0; at = raw.indexOf(separator, from)) {
    found.push(raw.slice(from, at))
    from = at + 1
  }
  found.push(from === 0 ? raw : raw.slice(from))
  return found
}

function withoutEnd(raw: string, separator: string): string {
  let end = raw.length
  while (end > 0 && raw[end - 1] === separator) end--
  return raw.slice(0, end)
}

/** The last level: what the sender meant by this raw text. */
export function leaf(raw: string, syntax: Syntax): string | null {
  if (raw === '') return ''
  return raw === '""' ? null : unescapeText(raw, syntax)
}

/** The piece with that number, from 1, without splitting the rest. */
export function nth(raw: string, separator: string, number: number): string | undefined {
  if (separator === '') return number === 1 ? raw : undefined
  let start = 0
  for (let skipped = 1; skipped < number; skipped++) {
    const at = raw.indexOf(separator, start)
    if (at < 0) return undefined
    start = at + separator.length
  }
  const end = raw.indexOf(separator, start)
  if (end >= 0) return raw.slice(start, end)
  return start === 0 ? raw : raw.slice(start)
}
