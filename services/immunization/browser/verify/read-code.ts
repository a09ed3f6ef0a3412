// Reads a QR code from a picture: by the browser's own reader where it has one, else by ours, which is fetched then.
import type * as Decoder from 'qr/decode.js'

type Picture = ImageBitmap | HTMLVideoElement
export type ReadCode = (picture: Picture) => Promise<string | undefined>

interface OwnReader {
  detect(picture: Picture): Promise<{ readonly rawValue: string }[]>
}

/** @param decoderAddress where the module with the decoder is. */
export async function codeReader(decoderAddress: string): Promise<ReadCode> {
  const own = await ownReader()
  if (own !== undefined) return async (picture) => (await own.detect(picture).catch(() => []))[0]?.rawValue
  // Sound: the address is that of this very module, put into the page by our server.
  const { decodeQR } = (await import(decoderAddress)) as typeof Decoder
  return async (picture) => decode(picture, decodeQR)
}

async function ownReader(): Promise<OwnReader | undefined> {
  const { BarcodeDetector } = globalThis as unknown as {
    BarcodeDetector?: { new (options: object): OwnReader; getSupportedFormats(): Promise<string[]> }
  }
  const formats = (await BarcodeDetector?.getSupportedFormats().catch(() => [])) ?? []
  return BarcodeDetector !== undefined && formats.includes('qr_code')
    ? new BarcodeDetector({ formats: ['qr_code'] })
    : undefined
}

/** A photo of a telephone has more pixels than any code needs, and reading them all takes seconds. */
const sideMax = 1_600

function decode(picture: Picture, decodeQR: typeof Decoder.decodeQR): string | undefined {
  const [fullWidth, fullHeight] =
    picture instanceof HTMLVideoElement ? [picture.videoWidth, picture.videoHeight] : [picture.width, picture.height]
  if (fullWidth === 0 || fullHeight === 0) return undefined
  const scale = Math.min(1, sideMax / Math.max(fullWidth, fullHeight))
  const [width, height] = [Math.round(fullWidth * scale), Math.round(fullHeight * scale)]
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) return undefined
  context.drawImage(picture, 0, 0, width, height)
  try {
    return decodeQR(context.getImageData(0, 0, width, height), { timeLimit: 1_500 })
  } catch {
    // No code in this picture.
    return undefined
  }
}
