import { crc32, deflateSync } from 'node:zlib'
import { incorrect } from '../../../packages/faults/fault.ts'
import { qrMatrix, type QrMatrix } from './qr-matrix.ts'

const qrSizeMin = 50
const qrSizeMax = 2_000
export const qrSizeDefault = 300

/**
 * A picture of exactly `size` × `size` pixels. Every module is the same whole number of pixels and what is left over is
 * white around the code: modules of unequal size are what makes dense codes unreadable.
 */
export function qrPng(text: string, { size = qrSizeDefault }: { readonly size?: number } = {}): Buffer {
  if (!Number.isInteger(size) || size < qrSizeMin || size > qrSizeMax) throw invalidSize()
  return drawPng(qrMatrix(text), size)
}

export function drawPng(matrix: QrMatrix, size: number): Buffer {
  const scale = Math.floor(size / matrix.length)
  if (scale === 0) throw sizeTooSmall(matrix.length)
  const start = Math.floor((size - matrix.length * scale) / 2)

  // One bit a pixel, 1 is white; each line begins with its filter, none.
  const lineBytes = 1 + Math.ceil(size / 8)
  const pixels = Buffer.alloc(lineBytes * size, 0xff)
  for (let y = 0; y < size; y++) pixels[y * lineBytes] = 0
  for (const [row, modules] of matrix.entries()) {
    const first = (start + row * scale) * lineBytes
    for (const [column, isDark] of modules.entries()) {
      if (isDark) darken(pixels, first + 1, start + column * scale, scale)
    }
    for (let copy = 1; copy < scale; copy++) pixels.copy(pixels, first + copy * lineBytes, first, first + lineBytes)
  }

  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header[8] = 1 // bits a pixel; the colour type, 0, is grey
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function darken(pixels: Buffer, line: number, from: number, count: number): void {
  for (let x = from; x < from + count; x++) {
    const at = line + (x >> 3)
    pixels[at] = (pixels[at] ?? 0) & ~(0x80 >> (x & 7))
  }
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(data.length, 0)
  named.copy(framed, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}

const invalidSize = () =>
  incorrect(`The size is a whole number of pixels from ${qrSizeMin} to ${qrSizeMax}.`, { code: 'invalid_size' })

const sizeTooSmall = (sideMin: number) =>
  incorrect(`This code needs a size of at least ${sideMin} pixels.`, { code: 'invalid_size' })
