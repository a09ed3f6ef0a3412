import { readDelimiters } from './delimiters.ts'
import type { Issue } from './issue.ts'
import { endsWithLf } from './lines.ts'

export interface Batch {
  /** The bytes of each message, in order. A single message without an envelope is a batch of one. */
  readonly messages: readonly Uint8Array[]
  /** True when FHS or BHS was there. */
  readonly hasEnvelope: boolean
  /** Counts that do not agree (BTS-1, FTS-1), bytes before the first header, and lines that belong to no message. */
  readonly issues: readonly Issue[]
}

/** Cuts FHS/BHS batches, and files of several messages without an envelope, into messages. Touches no byte of them. */
export function splitBatch(bytes: Uint8Array): Batch {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = buffer.toString('latin1')
  // A zero byte beside the first letter: UTF-16 or UTF-32, where a line cannot be found by its bytes.
  if (text.slice(0, 4).includes('\0')) return single(bytes)
  const marks = findMarks(text)
  const first = marks[0]
  if (first === undefined) return single(bytes)
  const isNoisy = /[^\s\u000b]/.test(text.slice(0, first.at).replace('ï»¿', ''))
  if (marks.length === 1 && first.name === 'MSH' && !isNoisy) return single(bytes)
  const counts: Counts = { batches: 0, inBatch: 0 }
  const messages: Uint8Array[] = []
  const issues: Issue[] = isNoisy ? [noise] : []
  for (const [index, { at, name }] of marks.entries()) {
    const end = marks[index + 1]?.at ?? buffer.length
    if (name === 'MSH') {
      messages.push(buffer.subarray(at, end))
      counts.inBatch++
    } else issues.push(...countIssues(name, text.slice(at, end), counts), ...strayLines(name, text.slice(at, end)))
  }
  return { messages, hasEnvelope: marks.some(({ name }) => name !== 'MSH'), issues }
}

interface Mark {
  readonly at: number
  readonly name: string
}

/**
 * The segments of an envelope and the headers of messages. A line of a report may begin like one: where segments end
 * with CR no LF makes a mark, and a mark stands before the separator of the first header, or says its own as a header does.
 */
function findMarks(text: string): readonly Mark[] {
  const marks = [...text.matchAll(markPattern)].map((match) => ({
    at: match.index,
    name: match[1]?.toUpperCase() ?? '',
  }))
  if (marks.length < 2) return marks
  const start = marks.find(({ at, name }) => isHeader(name) && 'delimiters' in readDelimiters(text, at))?.at ?? 0
  const separator = text.charAt(start + 3)
  const separators = new Set(separator)
  let isLfEnd: boolean | undefined
  return marks.filter(({ at, name }) => {
    const sign = text.charAt(at + 3)
    if (isHeader(name) && saysItsOwn(text, at)) separators.add(sign)
    if (sign !== '' && !lineEnds.includes(sign) && !separators.has(sign)) return false
    if (!isAfterLf(text, at)) return true
    isLfEnd ??= endsWithLf(text, start, separator)
    return isLfEnd
  })
}

const lineEnds = '\r\n'

const isHeader = (name: string) => !name.endsWith('TS')

/** Three different encoding characters at least, which no sentence has there. */
function saysItsOwn(text: string, at: number): boolean {
  const read = readDelimiters(text, at)
  return 'delimiters' in read && text.charAt(at + 4) !== text.charAt(at + 3) && read.delimiters.subcomponent !== ''
}

function isAfterLf(text: string, at: number): boolean {
  let end = at - 1
  while (text[end] === ' ' || text[end] === '\t') end--
  return text[end] === '\n' && text[end - 1] !== '\r'
}

/** Whatever may be one, each at the start of a line and before a separator. */
const markPattern = /(?<=^[ \t]{0,16}|[\r\n\u000b][ \t]{0,16}|^ï»¿)(FHS|BHS|MSH|BTS|FTS)(?=[^\p{L}\p{N}\s]|[\r\n]|$)/giu

const single = (bytes: Uint8Array): Batch => ({ messages: [bytes], hasEnvelope: false, issues: [] })

interface Counts {
  batches: number
  inBatch: number
}

function countIssues(name: string, line: string, counts: Counts): Issue[] {
  if (name === 'BHS') {
    counts.batches++
    counts.inBatch = 0
  }
  if (name !== 'BTS' && name !== 'FTS') return []
  const stated = /^\d+/.exec(line.slice(4))?.[0]
  const found = name === 'BTS' ? counts.inBatch : counts.batches
  if (stated === undefined || Number(stated) === found) return []
  const what = name === 'BTS' ? 'messages' : 'batches'
  return [
    {
      code: '102',
      severity: 'W',
      text: `${name}-1 counts ${Number(stated)} ${what}, but there are ${found}.`,
      location: { segment: name, sequence: 1, field: 1 },
    },
  ]
}

/** An envelope's segment is one line. What follows it before the next one is in no message, and nobody must miss it. */
function strayLines(name: string, lines: string): Issue[] {
  const [, ...others] = lines.split(/[\r\n]+/)
  if (!others.some((line) => /[^\s\u000b\u001c]/.test(line))) return []
  return [{ code: '100', severity: 'W', text: `There are lines after ${name} that belong to no message.` }]
}

const noise: Issue = { code: '100', severity: 'W', text: 'There is text before the first header; it was skipped.' }
