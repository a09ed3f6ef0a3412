import { isWide, windows1252, type Charset } from './charset.ts'
import { standardDelimiters, type Delimiters } from './delimiters.ts'
import type { EscapeFlag } from './issue.ts'
import type { Syntax } from './syntax.ts'

type Flag = (kind: EscapeFlag) => void

/**
 * Turns the escape sequences of a raw text into what they stand for. What is not known stays as it was sent.
 *
 * @param flag told of sequences that are kept as they were sent, and of bytes whose meaning was guessed
 */
export function unescapeText(raw: string, syntax: Syntax, flag?: Flag): string {
  const { delimiters, charset } = syntax
  const { escape } = delimiters
  if (syntax.hasEscapes === false || escape === '' || !raw.includes(escape)) return raw
  let text = ''
  let hex = ''
  let at = 0
  const flushHex = () => {
    if (hex !== '') text += textOf(Buffer.from(hex, 'hex'), charset, flag)
    hex = ''
  }
  for (;;) {
    const open = raw.indexOf(escape, at)
    const close = open < 0 ? -1 : raw.indexOf(escape, open + 1)
    if (close < 0) break
    const body = raw.slice(open + 1, close)
    if (open > at) flushHex()
    text += raw.slice(at, open)
    const digits = hexOf(body)
    if (digits !== undefined) {
      // A character of several bytes may be spread over neighbouring sequences: \XC3\\XA9\ is one letter.
      hex += digits
      at = close + 1
      continue
    }
    flushHex()
    const meaning = meaningOf(body, delimiters, flag)
    // What is no sequence began with a stray escape character: that sign is text, and the next one may open another.
    text += meaning ?? escape
    at = meaning === undefined ? open + 1 : close + 1
  }
  flushHex()
  return text + raw.slice(at)
}

/** Writes a text so that no sign of it can be taken for structure, by a receiver with these delimiters. */
export function escapeText(text: string, delimiters: Delimiters): string {
  if (text === '""') return delimiters.escape === '' ? ' ' : `${delimiters.escape}X2222${delimiters.escape}`
  let escaped = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const body = bodyOf(text, at, delimiters)
    if (body === undefined) continue
    // Without an escape character a structure character cannot be sent at all; a space never is one.
    escaped += text.slice(from, at) + (delimiters.escape === '' ? ' ' : wrap(body, delimiters))
    from = at + 1
  }
  return from === 0 ? text : escaped + text.slice(from)
}

/** A raw text of a field with the same delimiters, made safe to be written again: no control signs. */
export function escapeControls(raw: string, delimiters: Delimiters): string {
  return raw.replaceAll(/[\u0000-\u0008\u000a-\u001f]/g, (sign) =>
    delimiters.escape === '' ? ' ' : wrap(controlBody(sign, delimiters), delimiters),
  )
}

const wrap = (body: string, delimiters: Delimiters) => `${delimiters.escape}${body}${delimiters.escape}`

function bodyOf(text: string, at: number, delimiters: Delimiters): string | undefined {
  const sign = text.charAt(at)
  switch (sign) {
    case delimiters.field:
      return 'F'
    case delimiters.component:
      return 'S'
    case delimiters.subcomponent:
      return 'T'
    case delimiters.repetition:
      return 'R'
    case delimiters.escape:
      return 'E'
    case delimiters.truncation:
      // Only the last sign of a value says that the value was cut; receivers before 2.7 do not know \P\.
      return at === text.length - 1 ? 'P' : undefined
    default:
      return sign < ' ' && sign !== '\t' ? controlBody(sign, delimiters) : undefined
  }
}

function controlBody(sign: string, delimiters: Delimiters): string {
  // A receiver splits before it reads escapes, so no sign of a sequence may itself be a delimiter.
  const canBreak = !Object.values(delimiters).includes('.')
  return sign === '\n' && canBreak ? '.br' : `X${sign.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`
}

/**
 * In a wide set \X0D\ is one sign, as we write it ourselves. Bytes that mean nothing in the set of the message come from
 * senders that write their own set in escapes, and are read so that no byte is lost.
 */
function textOf(bytes: Buffer, charset: Charset, flag: Flag | undefined): string {
  if (isWide(charset.name)) return bytes.toString('latin1')
  const text = charset.decode(bytes)
  // The sign for what cannot be read may itself have been sent.
  if (!text.includes('\ufffd') || bytes.equals(charset.encode(text))) return text
  flag?.('guessed-bytes')
  return windows1252.decode(bytes)
}

/** The sequences that switch the character set or are private (\C..\, \M..\, \Z..\): they are kept, and flagged. */
const foreignBody = /^(?:C[0-9A-Fa-f]{4}|M[0-9A-Fa-f]{4,6}|Z[0-9A-Za-z]{1,20})$/
const formatting = /^\.(br|sp|in|ti|fi|nf|ce|sk)\s*([+-]?\d{1,4})?$/

function hexOf(body: string): string | undefined {
  const isHex = body.startsWith('X') && body.length > 1 && body.length % 2 === 1 && !/[^0-9A-Fa-f]/.test(body.slice(1))
  return isHex ? body.slice(1) : undefined
}

/** Undefined when the body is no sequence at all. Where the message has no sign for a role, the standard one is meant. */
function meaningOf(body: string, delimiters: Delimiters, flag: Flag | undefined): string | undefined {
  switch (body) {
    case 'F':
      return delimiters.field
    case 'S':
      return delimiters.component
    case 'T':
      return delimiters.subcomponent || standardDelimiters.subcomponent
    case 'R':
      return delimiters.repetition || standardDelimiters.repetition
    case 'E':
      return delimiters.escape
    case 'P':
      return delimiters.truncation || '#'
    case 'H':
    case 'N':
      return ''
    default:
      if (!foreignBody.test(body)) return layoutOf(formatting.exec(body))
      flag?.('kept-escape')
      return wrap(body, delimiters)
  }
}

/** Formatting commands as plain text: line breaks and spaces stay, margins and filling do not. */
function layoutOf(command: RegExpExecArray | null): string | undefined {
  if (command === null) return undefined
  const count = Math.min(Math.max(Number(command[2] ?? 1), 0), 200)
  switch (command[1] ?? '') {
    case 'br':
    case 'ce':
      return '\n'
    case 'sp':
      return '\n'.repeat(Math.max(count, 1))
    case 'sk':
      return ' '.repeat(count)
    case 'ti':
      return ' '.repeat(command[2] === undefined ? 0 : count)
    default:
      return ''
  }
}
