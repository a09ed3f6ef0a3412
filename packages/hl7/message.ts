import type { Charset } from './charset.ts'
import type { Delimiters } from './delimiters.ts'
import { escapeIssues } from './escape-issues.ts'
import type { Issue } from './issue.ts'
import type { Line } from './lines.ts'
import type { Part, Value } from './part.ts'
import type { Path, PathText } from './path.ts'
import { SegmentList } from './segment-list.ts'
import { Segment } from './segment.ts'
import { segmentIssues } from './segment-issues.ts'
import type { Syntax } from './syntax.ts'

export interface MessageSource {
  readonly bytes: Uint8Array
  readonly text: string
  readonly lines: readonly Line[]
  readonly delimiters: Delimiters
  readonly charset: Charset
  readonly issues: readonly Issue[]
}

/** A message as it was sent. It never changes; `edit(message)` makes another one of it. */
export class Message implements Syntax {
  /** The very bytes that were received. */
  readonly bytes: Uint8Array
  readonly text: string
  readonly delimiters: Delimiters
  readonly charset: Charset
  readonly hasEscapes: boolean
  /** Where each segment lies in the text. */
  readonly lines: readonly Line[]
  readonly list: SegmentList
  readonly #readIssues: readonly Issue[]

  constructor({ bytes, text, lines, delimiters, charset, issues }: MessageSource) {
    this.bytes = bytes
    this.text = text
    this.delimiters = delimiters
    this.charset = charset
    this.lines = lines
    this.hasEscapes = hasEscapes(text, lines, delimiters)
    this.list = new SegmentList(lines.map(({ start, end }) => new Segment(text.slice(start, end), this)))
    this.#readIssues = issues
  }

  get all(): readonly Segment[] {
    return this.list.all
  }

  /** What is odd about the message but did not keep it from being read. */
  get issues(): readonly Issue[] {
    return [...this.flags, ...segmentIssues(this.all)]
  }

  /** Of these, what is odd about how the message was written: its character set, its delimiters, its escapes. */
  get flags(): readonly Issue[] {
    return this.hasEscapes ? [...this.#readIssues, ...escapeIssues(this)] : this.#readIssues
  }

  segment(name: string, occurrence = 0): Segment | undefined {
    return this.list.segment(name, occurrence)
  }

  segments(name: string): Segment[] {
    return this.list.segments(name)
  }

  has(name: string): boolean {
    return this.list.has(name)
  }

  /** The value at a path such as `PID-5.1`: absent `undefined`, empty `''`, `""` `null`. */
  get(path: PathText | Path): Value {
    return this.list.get(path)
  }

  /** The value at a path when it says something; undefined for absent, empty and `""`. */
  getText(path: PathText | Path): string | undefined {
    return this.list.getText(path)
  }

  part(path: PathText | Path): Part | undefined {
    return this.list.part(path)
  }

  repetitions(path: PathText | Path): Part[] {
    return this.list.repetitions(path)
  }

  groups(...starts: readonly string[]): ReturnType<SegmentList['groups']> {
    return this.list.groups(...starts)
  }
}

/** Looks behind MSH-2, which names the escape character. */
function hasEscapes(text: string, [header]: readonly Line[], { field, escape: sign }: Delimiters): boolean {
  const afterEncoding = text.indexOf(field, (header?.start ?? 0) + 4)
  return sign !== '' && afterEncoding >= 0 && text.includes(sign, afterEncoding)
}
