import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import jsQR from 'jsqr'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import type { Picture } from './read-png.ts'

/** Two readers of QR codes that have nothing in common with each other or with what draws ours. */
export function byJsQr({ width, height, rgba }: Picture): string | undefined {
  // Its module is CommonJS, whose default export Node hands over as the whole.
  return jsQR.default(rgba, width, height, { inversionAttempts: 'dontInvert' })?.data
}

export async function byZxing(png: Buffer): Promise<{ readonly text: string; readonly level: string } | undefined> {
  const [read] = await readBarcodes(new Uint8Array(png), { formats: ['QRCode'] })
  return read === undefined ? undefined : { text: read.text, level: read.ecLevel }
}

// Unless told where its program is, it asks a host on the internet for it.
prepareZXingModule({
  overrides: {
    wasmBinary: readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')),
  },
})
