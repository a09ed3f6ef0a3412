import { isAscii } from 'node:buffer'
import { encoderFor, type Encoder } from './charset-encoder.ts'

/** How text becomes bytes and back. */
export interface Charset {
  /** The WHATWG name: `utf-8`, `windows-1252`, `iso-2022-jp`. */
  readonly name: string
  /** Bytes that mean nothing in this set become U+FFFD. */
  decode(bytes: Uint8Array): string
  /** A character that the set lacks becomes the substitute, which must not be a delimiter of the message. */
  encode(text: string, substitute?: string): Uint8Array
}

/** The character set of an HL7 table 0211 name or of a common label, or undefined when it is not known. */
export function charsetNamed(declared: string): Charset | undefined {
  const label = table0211[declared.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')] ?? labelOf(declared)
  return label === undefined ? undefined : charset(label)
}

/** The character set of a WHATWG label that is known to exist. */
export function charset(label: string): Charset {
  return known.get(label) ?? makeCharset(label)
}

function makeCharset(label: string): Charset {
  // Filled on first use, because a table of 60,000 characters is not for every start; it is the same for everyone.
  let encoder: Encoder | undefined
  // To make one costs as much as to read a message with it.
  let decoder: TextDecoder | undefined
  return {
    name: label,
    decode(bytes) {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      if (label === 'utf-8') return buffer.toString('utf8')
      if (label === 'utf-32le' || label === 'utf-32be') return decodeUtf32(buffer, label === 'utf-32le')
      // ISO-2022-JP writes Japanese in seven-bit bytes after an escape sign.
      if (!isWide(label) && label !== 'iso-2022-jp' && isAscii(buffer)) return buffer.toString('latin1')
      decoder ??= new TextDecoder(label, { ignoreBOM: true })
      return decoder.decode(buffer)
    },
    encode(text, substitute = '?') {
      if (label === 'utf-8') return Buffer.from(text, 'utf8')
      if (!isWide(label) && /^[\0-\u007f]*$/.test(text)) return Buffer.from(text, 'latin1')
      encoder ??= encoderFor(label)
      return encoder(text, substitute)
    },
  }
}

/** Whether every sign takes two bytes or more. */
export const isWide = (label: string): boolean => label.startsWith('utf-16') || label.startsWith('utf-32')

function decodeUtf32(bytes: Buffer, isLittle: boolean): string {
  let text = ''
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const point = isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)
    text += point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point)
  }
  return bytes.length % 4 === 0 ? text : `${text}\ufffd`
}

/** HL7 table 0211 without its punctuation, and the spellings met in the field. */
const table0211: Readonly<Record<string, string>> = {
  ASCII: 'us-ascii',
  USASCII: 'us-ascii',
  '646': 'us-ascii',
  ISOIR6: 'us-ascii',
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16].flatMap((part) => [
      [`8859${part}`, latinLabel(part)],
      [`ISO8859${part}`, latinLabel(part)],
      [`ISOIEC8859${part}`, latinLabel(part)],
    ]),
  ),
  UNICODE: 'utf-8',
  UNICODEUTF8: 'utf-8',
  UTF8: 'utf-8',
  UNICODEUTF16: 'utf-16le',
  UTF16: 'utf-16le',
  UNICODEUTF32: 'utf-32le',
  UTF32: 'utf-32le',
  ISOIR14: 'shift_jis',
  ISOIR87: 'iso-2022-jp',
  ISOIR159: 'iso-2022-jp',
  ISOIR100: 'windows-1252',
  GB180302000: 'gb18030',
  GB18030: 'gb18030',
  GB2312: 'gb18030',
  GBK: 'gb18030',
  KSX1001: 'euc-kr',
  KSC5601: 'euc-kr',
  BIG5: 'big5',
}

/** The web reads ISO 8859-1 and 8859-9 as the Windows sets that contain them, which is also what senders mean. */
function latinLabel(part: number): string {
  if (part === 1) return 'windows-1252'
  return part === 9 ? 'windows-1254' : `iso-8859-${part}`
}

function labelOf(declared: string): string | undefined {
  const label = declared.trim()
  if (!labelSigns.test(label)) return undefined
  try {
    return new TextDecoder(label).encoding
  } catch {
    // Not a label either: the caller decides what an unknown set means.
    return undefined
  }
}

/** Every label is made of these; what is not needs no error to be refused with. */
const labelSigns = /^[\w:.-]+$/

const known: ReadonlyMap<string, Charset> = new Map(
  [...new Set([...Object.values(table0211), 'utf-16be', 'utf-32be'])].map((label) => [label, makeCharset(label)]),
)

export const utf8: Charset = charset('utf-8')

/** The sets that have one byte for a letter, those of table 0211 and the two that Windows has instead. */
export const oneByteCharsets: readonly Charset[] = [
  ...[...known.values()].filter(({ name }) => name.startsWith('iso-8859') || name.startsWith('windows')),
  ...['windows-1250', 'windows-1251'].map(charset),
]

/** Their tables are large, and made when the first text is written in them. */
export const eastAsianCharsets: readonly Charset[] = ['shift_jis', 'gb18030', 'euc-kr', 'big5'].map(charset)
/** What bytes of no declared set are read as: every byte means something, so nothing is lost. */
export const windows1252: Charset = charset('windows-1252')
