/** Text to bytes; a character that the set lacks becomes the substitute. */
export type Encoder = (text: string, substitute: string) => Uint8Array

/** The platform decodes all these sets but encodes only UTF-8, so the tables are had by decoding every code once. */
export function encoderFor(label: string): Encoder {
  switch (label) {
    case 'utf-16le':
    case 'utf-16be':
      return (text) => encodeUtf16(text, label === 'utf-16be')
    case 'utf-32le':
    case 'utf-32be':
      return (text) => encodeUtf32(text, label === 'utf-32be')
    case 'us-ascii':
      return tableEncoder(new Map())
    case 'iso-2022-jp':
      return iso2022JpEncoder()
    case 'gb18030':
      return tableEncoder(inverse(label, [singleBytes, pairs(0x81, 0xfe, 0x40, 0xfe), gbQuads]), gbBeyondBasicPlane)
    case 'big5':
    case 'euc-kr':
    case 'euc-jp':
    case 'shift_jis':
      return tableEncoder(inverse(label, [singleBytes, pairs(0x81, 0xfe, 0x40, 0xfe)]))
    default:
      return tableEncoder(inverse(label, [singleBytes]))
  }
}

function tableEncoder(table: ReadonlyMap<string, Buffer>, beyond?: (point: number) => Buffer | undefined): Encoder {
  return (text, substitute) => {
    const pieces: Buffer[] = []
    for (const character of text) {
      const point = character.codePointAt(0) ?? 0
      pieces.push(
        point < 0x80
          ? Buffer.from([point])
          : (table.get(character) ?? beyond?.(point) ?? Buffer.from(substitute, 'latin1')),
      )
    }
    return Buffer.concat(pieces)
  }
}

type Codes = Iterable<readonly number[]>

const singleBytes: Codes = Array.from({ length: 128 }, (_, index) => [0x80 + index])

function pairs(leadFrom: number, leadTo: number, trailFrom: number, trailTo: number): Codes {
  const codes: number[][] = []
  for (let lead = leadFrom; lead <= leadTo; lead++) {
    for (let trail = trailFrom; trail <= trailTo; trail++) codes.push([lead, trail])
  }
  return codes
}

/** GB 18030: the characters of the basic plane that need four bytes. */
const gbQuads: Codes = {
  *[Symbol.iterator]() {
    for (let linear = 0; linear < 39_420; linear++) yield gbQuad(linear)
  },
}

const gbQuad = (linear: number): number[] => [
  0x81 + Math.floor(linear / 12_600),
  0x30 + (Math.floor(linear / 1_260) % 10),
  0x81 + (Math.floor(linear / 10) % 126),
  0x30 + (linear % 10),
]

const gbBeyondBasicPlane = (point: number) =>
  point >= 0x10000 ? Buffer.from(gbQuad(189_000 + point - 0x10000)) : undefined

function inverse(label: string, sources: readonly Codes[]): Map<string, Buffer> {
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true })
  const table = new Map<string, Buffer>()
  for (const source of sources) {
    for (const code of source) {
      const bytes = Buffer.from(code)
      const character = decodeOne(decoder, bytes)
      if (character !== undefined && !table.has(character)) table.set(character, bytes)
    }
  }
  return table
}

function decodeOne(decoder: TextDecoder, bytes: Uint8Array): string | undefined {
  try {
    const text = decoder.decode(bytes)
    return Array.from(text).length === 1 && (text.codePointAt(0) ?? 0) >= 0x80 ? text : undefined
  } catch {
    // A code that the set leaves free.
    return undefined
  }
}

const toJapanese = Buffer.from('\u001b$B', 'latin1')
const toAscii = Buffer.from('\u001b(B', 'latin1')

/** JIS X 0208 between escape sequences; every ASCII character, so every delimiter, is written in ASCII. */
function iso2022JpEncoder(): Encoder {
  const decoder = new TextDecoder('iso-2022-jp', { fatal: true, ignoreBOM: true })
  const table = new Map<string, Buffer>()
  for (const code of pairs(0x21, 0x7e, 0x21, 0x7e)) {
    const bytes = Buffer.from(code)
    const character = decodeOne(decoder, Buffer.concat([toJapanese, bytes, toAscii]))
    if (character !== undefined && !table.has(character)) table.set(character, bytes)
  }
  return (text, substitute) => {
    const pieces: Buffer[] = []
    let isJapanese = false
    for (const character of text) {
      const japanese = table.get(character)
      if ((japanese !== undefined) !== isJapanese) pieces.push(isJapanese ? toAscii : toJapanese)
      isJapanese = japanese !== undefined
      const isAscii = character < '\u0080'
      pieces.push(japanese ?? Buffer.from(isAscii ? character : substitute, 'latin1'))
    }
    if (isJapanese) pieces.push(toAscii)
    return Buffer.concat(pieces)
  }
}

function encodeUtf16(text: string, isBig: boolean): Uint8Array {
  const bytes = Buffer.from(text, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}

function encodeUtf32(text: string, isBig: boolean): Uint8Array {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const bytes = Buffer.alloc(points.length * 4)
  for (const [index, point] of points.entries()) {
    if (isBig) bytes.writeUInt32BE(point, index * 4)
    else bytes.writeUInt32LE(point, index * 4)
  }
  return bytes
}
