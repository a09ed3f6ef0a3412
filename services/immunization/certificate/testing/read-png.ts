import { inflateSync } from 'node:zlib'

export interface Picture {
  readonly width: number
  readonly height: number
  readonly rgba: Uint8ClampedArray
}

/** A 1-bit grey PNG without filters, read chunk by chunk: enough to check what our writer wrote. */
export function readPng(png: Buffer): Picture {
  const width = png.readUInt32BE(16)
  const height = png.readUInt32BE(20)
  const pixels = inflateSync(Buffer.concat(chunksOf(png, 'IDAT')))
  const rgba = new Uint8ClampedArray(width * height * 4).fill(255)
  const lineBytes = 1 + Math.ceil(width / 8)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const byte = pixels[y * lineBytes + 1 + (x >> 3)] ?? 0
      if ((byte & (0x80 >> (x & 7))) === 0) rgba.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
    }
  }
  return { width, height, rgba }
}

function chunksOf(png: Buffer, type: string): Buffer[] {
  const found: Buffer[] = []
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.toString('latin1', at + 4, at + 8) === type) found.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  return found
}
