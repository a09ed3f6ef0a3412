import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { Terminal } from '../../terminal.ts'
import { paint, type Colour } from '../hl7/paint.ts'

interface NarratorOptions {
  readonly terminal: Terminal
  /** Where Enter comes from. Undefined where nobody is to be waited for. */
  readonly input: Readable | undefined
  /** When the visitor leaves. */
  readonly stop: AbortSignal
}

const width = 78
const indent = '  '

/** Tells the tour on 80 columns, a paragraph at a time, and waits for the visitor between its parts. */
export class Narrator {
  readonly #options: NarratorOptions

  constructor(options: NarratorOptions) {
    this.#options = options
  }

  readonly colour = (colour: Colour, text: string): string => paint(this.#options.terminal)(colour, text)

  title(text: string): void {
    this.#out([`${indent}${this.colour('bold', text)}`, `${indent}${this.colour('faint', '─'.repeat(width - 2))}`])
  }

  /** A part of the tour; what is at its right says by which way it goes. */
  heading(text: string, aside = ''): void {
    const gap = ' '.repeat(Math.max(2, width - indent.length - text.length - aside.length))
    const right = aside === '' ? '' : `${gap}${this.colour('faint', aside)}`
    this.#out(['', `${indent}${this.colour('bold', text)}${right}`])
  }

  say(text: string): void {
    this.#out(wrapped(text, width - indent.length).map((line) => `${indent}${line}`))
  }

  lines(lines: readonly string[]): void {
    this.#out(lines.map((line) => (line === '' ? '' : `${indent}${line}`)))
  }

  /** Long values are cut off, not wrapped: a segment is one line. */
  segments(segments: readonly string[]): void {
    const room = width - indent.length - 2
    const cut = (text: string) => (text.length > room ? `${text.slice(0, room - 1)}…` : text)
    this.#out(segments.map((segment) => `${indent}  ${this.colour('faint', cut(segment))}`))
  }

  /** Until Enter is pressed, where somebody is there to press it. */
  async pause(): Promise<void> {
    const { input, terminal, stop } = this.#options
    if (input === undefined) return
    terminal.out(`\n${indent}${this.colour('faint', 'Press Enter to go on, Ctrl-C to leave.')}`)
    using over = new DisposableStack()
    const answered = new AbortController()
    over.defer(() => answered.abort())
    over.defer(() => input.pause())
    const until = { signal: AbortSignal.any([stop, answered.signal]) }
    // Ctrl-D ends the input; who presses it wants to go on, too.
    const pressed = ['data', 'end'].map((event) => once(input, event, until))
    input.resume()
    await Promise.race(pressed).catch(() => {})
    stop.throwIfAborted()
  }

  #out(lines: readonly string[]): void {
    this.#options.terminal.out(`${lines.join('\n')}\n`)
  }
}

/** Words on lines of at most this many characters; a longer word has a line of its own. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
