import {
  _BYTES as codewords,
  _ECC_BLOCKS as blockCounts,
  _GF256 as field,
  _tests as drawing,
  _WORDS_PER_BLOCK as parityWords,
  type ErrorCorrection,
} from 'qr'
import { BitWriter } from './bit-writer.ts'
import type { QrMatrix } from './qr-matrix.ts'

/** A QR code of two segments, letters as bytes and then digits three to ten bits, which `qr` itself cannot make. */
export interface SegmentedText {
  readonly prefix: string
  readonly digits: string
}

/** Undefined when it does not fit this version (1 to 40) at this level. */
export function segmentedMatrix(text: SegmentedText, version: number, level: ErrorCorrection): QrMatrix | undefined {
  const data = dataWords(text, version, level)
  if (data === undefined) return undefined
  const symbol = drawing.drawSymbol(version, level, withParity(data, version, level))
  const isDark = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < symbol.size && y < symbol.size && drawing.matGet(symbol, x, y) === 1
  const places = Array.from({ length: symbol.size + 2 }, (_, at) => at - 1)
  return places.map((y) => places.map((x) => isDark(x, y)))
}

/** ISO/IEC 18004 section 7.4: each segment is its mode, its length and its data; then the padding. */
function dataWords({ prefix, digits }: SegmentedText, version: number, level: ErrorCorrection): Uint8Array | undefined {
  const { total, parity, blocks } = shapeOf(version, level)
  const room = total - parity * blocks
  // Three digits take ten bits. A card of hundreds of doses is far too long for all of them, and is not written to find out.
  if (digits.length * 3 > room * 8) return undefined
  const bits = new BitWriter(room)
  const bytes = Buffer.from(prefix)
  bits.write(0b0100, 4)
  bits.write(bytes.length, version < 10 ? 8 : 16)
  for (const byte of bytes) bits.write(byte, 8)
  bits.write(0b0001, 4)
  bits.write(digits.length, version < 10 ? 10 : version < 27 ? 12 : 14)
  for (const [group] of digits.matchAll(/\d{1,3}/g)) bits.write(Number(group), group.length * 3 + 1)
  return bits.finish()
}

/** Section 7.5 and 7.6: the blocks, the shorter first, each with its parity; then all of them word by word. */
function withParity(data: Uint8Array, version: number, level: ErrorCorrection): Uint8Array {
  const { total, parity, blocks } = shapeOf(version, level)
  const shorter = blocks - (total % blocks)
  const length = Math.floor(total / blocks) - parity
  const divisor = generator(parity)
  const parts = Array.from({ length: blocks }, (_, at) => {
    const start = at * length + Math.max(0, at - shorter)
    const block = data.subarray(start, start + length + (at < shorter ? 0 : 1))
    return { block, check: drawing.rsEcc(block, divisor) }
  })
  const wordAt = (list: readonly Uint8Array[], at: number) => list.flatMap((words) => words[at] ?? [])
  const byWord = (list: readonly Uint8Array[], count: number) =>
    Array.from({ length: count }, (_, at) => wordAt(list, at)).flat()
  return Uint8Array.from([
    ...byWord(
      parts.map(({ block }) => block),
      length + 1,
    ),
    ...byWord(
      parts.map(({ check }) => check),
      parity,
    ),
  ])
}

const shapeOf = (version: number, level: ErrorCorrection) => ({
  total: codewords[version - 1] ?? 0,
  parity: parityWords[level][version - 1] ?? 0,
  blocks: blockCounts[level][version - 1] ?? 1,
})

/** The product of (x - 2^i): its coefficients after the first, which is one. */
function generator(degree: number): Uint8Array {
  const times = (a: number, b: number) =>
    a === 0 || b === 0 ? 0 : (field.exp[(field.log[a] ?? 0) + (field.log[b] ?? 0)] ?? 0)
  let coefficients = [1]
  for (let power = 0; power < degree; power++) {
    const root = field.exp[power] ?? 0
    coefficients = [...coefficients, 0].map((each, at) => each ^ times(coefficients[at - 1] ?? 0, root))
  }
  return Uint8Array.from(coefficients.slice(1))
}
