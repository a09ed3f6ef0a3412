import { bug } from '../faults/fault.ts'
import { utf8, type Charset } from './charset.ts'
import { canAllDelimit, encodingCharacters, standardDelimiters, type Delimiters } from './delimiters.ts'
import { formatAtom, formatField, raw, type Atom, type Fields, type FieldValue } from './field-value.ts'
import type { Message } from './message.ts'
import { parseMessage } from './parse.ts'
import { parsePath, type PathText } from './path.ts'
import { replaceAt, trimEnd } from './replace.ts'
import { isHeader, isName } from './segment.ts'

export interface BuilderOptions {
  readonly delimiters?: Delimiters
  readonly charset?: Charset
}

interface Draft {
  readonly name: string
  raw: string
  /** What followed the segment in the message that is edited; CR for a new one. */
  readonly end: string
}

/** Puts a message together. Values are escaped, so they can never become structure. */
export class MessageBuilder {
  readonly delimiters: Delimiters
  readonly charset: Charset
  #prefix = ''
  #drafts: Draft[] = []

  constructor({ delimiters = standardDelimiters, charset = utf8 }: BuilderOptions = {}) {
    const characters = `${delimiters.field}${encodingCharacters(delimiters)}`
    if (!canAllDelimit(characters)) {
      throw bug(`the delimiters ${characters} must be different punctuation characters`)
    }
    this.delimiters = delimiters
    this.charset = charset
  }

  /** A builder that holds a message; places that are not set keep their bytes' text. */
  static from(message: Message): MessageBuilder {
    const builder = new MessageBuilder(message)
    const { text, lines } = message
    builder.#prefix = text.slice(0, lines[0]?.start ?? 0)
    for (const [index, segment] of message.all.entries()) {
      const end = text.slice(lines[index]?.end, lines[index + 1]?.start ?? text.length)
      builder.#drafts.push({ name: segment.name, raw: segment.raw, end })
    }
    return builder
  }

  /** Adds a segment at the end. In MSH the fields 1 and 2 are the delimiters and write themselves. */
  add(name: string, fields: Fields = []): this {
    this.#drafts.push(this.#draft(name, fields))
    return this
  }

  /** Adds a segment that was sent in a message with the same delimiters. */
  addRaw(segmentText: string): this {
    const [name = '', ...fields] = segmentText.split(this.delimiters.field)
    return this.add(
      name,
      fields.map((field) => raw(field)),
    )
  }

  /** Sets the value at a path; segments, fields and components that are missing on the way are made. */
  set(path: PathText, value: Atom): this {
    return this.#replace(path, (place, draft) =>
      replaceAt(draft, place, formatAtom(value, this.delimiters), this.delimiters),
    )
  }

  /** Sets a whole field, with all its repetitions and components. */
  setField(path: PathText, value: FieldValue): this {
    const whole = { repetition: undefined, component: undefined, subcomponent: undefined }
    return this.#replace(path, (place, draft) =>
      replaceAt(draft, { ...place, ...whole }, formatField(value, this.delimiters), this.delimiters),
    )
  }

  /** Takes out every segment with that name, or only the one with that index. */
  remove(name: string, occurrence?: number): this {
    const found = this.#drafts.filter((draft) => draft.name === name)
    const gone = new Set(occurrence === undefined ? found : [found[occurrence]])
    this.#drafts = this.#drafts.filter((draft) => !gone.has(draft))
    return this
  }

  text(): string {
    const last = this.#drafts.length - 1
    // The last segment of a message that is edited may have had no end; one that now follows needs it.
    const segments = this.#drafts.map(
      (draft, index) => draft.raw + (draft.end === '' && index < last ? '\r' : draft.end),
    )
    return this.#prefix + segments.join('')
  }

  bytes(): Uint8Array {
    const isDelimiter = `${this.delimiters.field}${encodingCharacters(this.delimiters)}`.includes('?')
    return this.charset.encode(this.text(), isDelimiter ? ' ' : '?')
  }

  message(): Message {
    return parseMessage(this.bytes(), { charset: { forced: this.charset.name } })
  }

  #draft(name: string, fields: Fields): Draft {
    if (!isName(name)) throw bug(`${JSON.stringify(name)} is not a segment name`)
    const texts = [name]
    for (const [number, value] of numbered(fields)) {
      while (texts.length <= number) texts.push('')
      texts[number] = formatField(value, this.delimiters)
    }
    // MSH-1 is the separator that stands before MSH-2.
    if (isHeader(name)) texts.splice(1, 2, encodingCharacters(this.delimiters))
    return { name, raw: trimEnd(texts).join(this.delimiters.field), end: '\r' }
  }

  #replace(path: PathText, change: (place: ReturnType<typeof parsePath>, draft: string) => string): this {
    const place = parsePath(path)
    if (isHeader(place.segment) && place.field <= 2) throw bug(`${path} holds the delimiters of the message`)
    const draft = this.#drafts.filter(({ name }) => name === place.segment)[place.occurrence]
    if (draft === undefined) {
      this.add(place.segment)
      return this.#replace(path, change)
    }
    draft.raw = change(place, draft.raw)
    return this
  }
}

function numbered(fields: Fields): (readonly [number, FieldValue])[] {
  if (isArray(fields)) return fields.map((value, index) => [index + 1, value])
  return Object.entries(fields).map(([number, value]) => [Number(number), value])
}

const isArray = (fields: Fields): fields is readonly FieldValue[] => Array.isArray(fields)

/** A builder that holds a message, to make a changed one of it. */
export const edit = (message: Message): MessageBuilder => MessageBuilder.from(message)
