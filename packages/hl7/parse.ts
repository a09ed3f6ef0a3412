import { decodeMessage, type CharsetOptions } from './decode.ts'
import { readDelimiters } from './delimiters.ts'
import { Hl7Fault } from './hl7-fault.ts'
import type { Issue } from './issue.ts'
import { findLines, type Line } from './lines.ts'
import { Message } from './message.ts'

export interface ParseOptions {
  readonly charset?: CharsetOptions
}

export type Parsed =
  | { readonly message: Message; readonly refused?: never }
  | { readonly message?: never; readonly refused: Hl7Fault }

/** Reads one message, or throws the `Hl7Fault` that says why it cannot be read. */
export function parseMessage(bytes: Uint8Array | string, options: ParseOptions = {}): Message {
  const { message, refused } = tryParseMessage(bytes, options)
  if (refused !== undefined) throw refused
  return message
}

/** Reads one message; never throws, whatever the bytes are. */
export function tryParseMessage(input: Uint8Array | string, options: ParseOptions = {}): Parsed {
  const bytes = typeof input === 'string' ? Buffer.from(input, 'utf8') : input
  const decoded = decodeMessage(bytes, options.charset)
  if ('code' in decoded) return { refused: new Hl7Fault(decoded, headerOf(bytes)) }
  const { text, charset } = decoded
  const start = startOf(text)
  const wrongStart = issueOfStart(text, start)
  if (wrongStart !== undefined) return { refused: new Hl7Fault(wrongStart) }
  const read = readDelimiters(text, start)
  if ('code' in read) return { refused: new Hl7Fault(read) }
  const { delimiters } = read
  const lines = findLines(text, start, delimiters.field, segmentsMax)
  const issues = read.issues.length + decoded.issues.length === 0 ? noIssues : [...read.issues, ...decoded.issues]
  const source = { bytes, text, delimiters, charset, issues }
  if (lines.length > segmentsMax) {
    return { refused: new Hl7Fault(tooManySegments, new Message({ ...source, lines: lines.slice(0, 1) })) }
  }
  if (hasSecondHeader(text, lines, delimiters.field)) {
    return { refused: new Hl7Fault(severalMessages, new Message({ ...source, lines: lines.slice(0, 1) })) }
  }
  return { message: new Message({ ...source, lines }) }
}

/** A frame full of line ends would otherwise cost a hundred times its bytes in objects. */
const segmentsMax = 100_000

const tooManySegments: Issue = {
  code: '104',
  severity: 'E',
  text: `The message has more than ${segmentsMax} segments.`,
}

const noIssues: readonly Issue[] = []

/** After a byte order mark, blank lines and the frame that a stored message may still wear. */
function startOf(text: string): number {
  let at = 0
  while (at < text.length && skipped.includes(text.charAt(at))) at++
  return at
}

const skipped = '\ufeff\u000b\r\n\t '

function issueOfStart(text: string, start: number): Issue | undefined {
  const name = text.slice(start, start + 3).toUpperCase()
  if (name === 'MSH') return undefined
  const isBatch = name === 'FHS' || name === 'BHS'
  return {
    code: '100',
    severity: 'E',
    text: isBatch
      ? 'This is a batch (FHS or BHS) and no message; split it first. One without messages has nothing to be taken.'
      : text.length === start
        ? 'The message is empty.'
        : 'The message does not begin with an MSH segment.',
    location: { segment: isBatch ? name : 'MSH', sequence: 1 },
  }
}

/** Two messages read as one would give one patient's results to another. */
function hasSecondHeader(text: string, lines: readonly Line[], separator: string): boolean {
  for (let index = 1; index < lines.length; index++) {
    const start = lines[index]?.start ?? 0
    const isM = text.charCodeAt(start) === 0x4d || text.charCodeAt(start) === 0x6d
    if (isM && text.slice(start, start + 3).toUpperCase() === 'MSH' && text.startsWith(separator, start + 3))
      return true
  }
  return false
}

const severalMessages: Issue = {
  code: '100',
  severity: 'E',
  text: 'There is more than one MSH segment; send each message in its own frame or in a batch.',
  location: { segment: 'MSH', sequence: 2 },
}

/** The MSH segment alone, for the answer to a message whose character set is not known. */
function headerOf(bytes: Uint8Array): Message | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const start = text.search(/MSH/i)
  if (start < 0) return undefined
  const line = text.slice(start, start + 65_536).split(/[\r\n]/, 1)[0] ?? ''
  return tryParseMessage(line.replaceAll(/[^\0-\u007f]/g, '?')).message
}
