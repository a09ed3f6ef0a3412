import { isAscii, isUtf8 } from 'node:buffer'
import { charset, charsetNamed, isWide, oneByteCharsets, utf8, windows1252, type Charset } from './charset.ts'
import type { Issue } from './issue.ts'

export interface CharsetOptions {
  /** Reads every message in this set, whatever MSH-18 says. */
  readonly forced?: string
  /** For messages that name no set and are not UTF-8; Windows-1252 unless said otherwise. */
  readonly fallback?: string
  /** What to do with a set in MSH-18 that nobody knows: read it like a message that names none, or refuse it. */
  readonly unknown?: 'read' | 'refuse'
}

export interface Decoded {
  readonly text: string
  readonly charset: Charset
  readonly issues: readonly Issue[]
}

/** Bytes to text: reads MSH-18 from the header, then decodes. */
export function decodeMessage(bytes: Uint8Array, options: CharsetOptions = {}): Decoded | Issue {
  const wide = wideCharset(bytes)
  if (wide !== undefined) return { text: wide.decode(bytes), charset: wide, issues: [] }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isPlain = isAscii(buffer)
  // Latin-1 gives every byte its own sign; for ASCII that is already the text.
  const latin = (isPlain ? buffer : buffer.subarray(0, headerBytesMax)).toString('latin1')
  const header = headerIn(latin)
  const declared = options.forced ?? declaredCharset(header)
  const named = declared === '' ? undefined : namedCharset(declared)
  if (named !== undefined) return decodeDeclared(buffer, named, options)
  // ISO-2022-JP begins its letters with an escape sign, the others with a byte beyond ASCII.
  const hidden = isPlain && !header.includes('\u001b') ? undefined : hiddenCharset(header, options)
  if (hidden !== undefined) return decodeDeclared(buffer, hidden, options)
  if (declared === '' && isPlain) return { text: latin, charset: utf8, issues: [] }
  if (declared === '') return decodeUndeclared(buffer, options, [])
  const issue = mismatch('103', 'MSH-18 names a character set that is not known.', options.unknown)
  return options.unknown === 'refuse' ? issue : decodeUndeclared(buffer, options, [issue])
}

function decodeDeclared(buffer: Buffer, named: Charset, options: CharsetOptions): Decoded {
  if (isWide(named.name)) {
    const issue = mismatch('102', 'MSH-18 names a wide character set, but the bytes are not written in it.')
    return decodeUndeclared(buffer, options, [issue])
  }
  if (named.name === 'us-ascii') {
    if (isAscii(buffer)) return { text: buffer.toString('latin1'), charset: named, issues: [] }
    return decodeUndeclared(buffer, options, [mismatch('102', 'MSH-18 says ASCII, but the message holds other bytes.')])
  }
  if (named.name === 'utf-8') {
    if (isUtf8(buffer)) return { text: named.decode(buffer), charset: named, issues: [] }
    return decodeUndeclared(buffer, options, [mismatch('102', 'MSH-18 says UTF-8, but the message is not UTF-8.')])
  }
  const text = named.decode(buffer)
  if (text.includes('\ufffd')) {
    return {
      text,
      charset: named,
      issues: [mismatch('102', 'Some bytes mean nothing in the character set of MSH-18.')],
    }
  }
  const isMeant = options.forced !== undefined || !oneByteCharsets.includes(named) || isAscii(buffer) || !isUtf8(buffer)
  return { text, charset: named, issues: isMeant ? [] : [looksLikeUtf8(named)] }
}

/** What a message says of itself counts. But nobody writes Ã© in every place where an é belongs. */
const looksLikeUtf8 = ({ name }: Charset): Issue =>
  mismatch(
    '102',
    `MSH-18 says ${name}, but all letters beyond ASCII are written as UTF-8. ` +
      'Correct MSH-18 at the sender, or let the channel read everything as UTF-8.',
  )

/** Valid UTF-8 is hardly ever something else; anything else is read so that no byte is lost. */
function decodeUndeclared(buffer: Buffer, options: CharsetOptions, issues: readonly Issue[]): Decoded {
  if (isUtf8(buffer)) return { text: decodeUtf8(buffer), charset: utf8, issues }
  const fallback = options.fallback === undefined ? windows1252 : (charsetNamed(options.fallback) ?? windows1252)
  const assumed = mismatch(
    '102',
    `The message does not say its character set and is not UTF-8; read as ${fallback.name}.`,
  )
  return { text: fallback.decode(buffer), charset: fallback, issues: issues.length > 0 ? issues : [assumed] }
}

const decodeUtf8 = (buffer: Buffer) => (isAscii(buffer) ? buffer.toString('latin1') : buffer.toString('utf8'))

/**
 * The first repetition of MSH-18 is the default set. Japanese senders leave it empty (ASCII) and name ISO IR87 second;
 * ISO-2022-JP reads both.
 */
function namedCharset(declared: string): Charset | undefined {
  const [first = '', ...others] = declared.split('~').map((name) => name.trim())
  const main = first === '' ? charset('us-ascii') : charsetNamed(first)
  const isNarrow = main?.name === 'us-ascii' || main?.name === 'shift_jis'
  const japanese = others.map(charsetNamed).find((other) => other?.name === 'iso-2022-jp')
  return isNarrow && japanese !== undefined ? japanese : main
}

/**
 * In some sets the second byte of a letter may look like a separator, and then bytes alone do not tell which field is
 * MSH-18: such a set is the one that, when the header is read in it, is named there.
 */
function hiddenCharset(header: string, { forced }: CharsetOptions): Charset | undefined {
  if (forced !== undefined || isPlainText.test(header)) return undefined
  const bytes = Buffer.from(header, 'latin1')
  return hidingCharsets.find((one) => {
    const declared = declaredCharset(one.decode(bytes))
    return declared !== '' && namedCharset(declared) === one
  })
}

const isPlainText = /^[\0-\u001a\u001c-\u007f]*$/
const hidingCharsets = ['iso-2022-jp', 'shift_jis', 'big5', 'gb18030'].map(charset)

/** The raw MSH-18, with its repetitions separated by `~`; empty when there is none. */
function declaredCharset(header: string): string {
  const separator = header.charAt(3)
  if (separator === '') return ''
  let at = 0
  for (let field = 1; field < 18; field++) {
    at = header.indexOf(separator, at) + 1
    if (at === 0) return ''
  }
  const end = header.indexOf(separator, at)
  const field = header.slice(at, end < 0 ? at + 200 : Math.min(end, at + 200))
  const repetition = header.charAt(5)
  return (repetition === '~' || repetition === separator ? field : field.replaceAll(repetition, '~')).replaceAll(
    '""',
    '',
  )
}

/** The header segment; empty when there is none. No set writes a part of a letter as the end of a line. */
function headerIn(latin: string): string {
  const start = latin.startsWith('MSH') ? 0 : latin.slice(0, 1_024).search(/MSH/i)
  if (start < 0) return ''
  return upTo('\n', upTo('\r', start === 0 ? latin : latin.slice(start)))
}

function upTo(sign: string, text: string): string {
  const end = text.indexOf(sign)
  return end < 0 ? text : text.slice(0, end)
}

const headerBytesMax = 65_536

/** UTF-16 and UTF-32 give themselves away by a byte order mark or by the zero bytes beside the first letter. */
function wideCharset(bytes: Uint8Array): Charset | undefined {
  const [a, b, c, d] = bytes
  if (a !== 0 && b !== 0 && !(a === 0xff && b === 0xfe) && !(a === 0xfe && b === 0xff)) return undefined
  if (a === 0xff && b === 0xfe) return charset(c === 0 && d === 0 ? 'utf-32le' : 'utf-16le')
  if (a === 0xfe && b === 0xff) return charset('utf-16be')
  if (a === 0 && b === 0) return c === 0xfe || (c === 0 && d === 0x4d) ? charset('utf-32be') : undefined
  if (a === 0) return charset('utf-16be')
  return charset(c === 0 && d === 0 ? 'utf-32le' : 'utf-16le')
}

const mismatch = (code: '102' | '103', text: string, unknown?: 'read' | 'refuse'): Issue => ({
  code,
  severity: unknown === 'refuse' ? 'E' : 'W',
  text,
  kind: 'character-set',
  location: { segment: 'MSH', sequence: 1, field: 18 },
})
