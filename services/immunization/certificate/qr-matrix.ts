import { encodeQR } from 'qr'
import { Fault } from '../../../packages/faults/fault.ts'

/** The modules of a QR code with its quiet zone of one module; true is dark. */
export type QrMatrix = readonly (readonly boolean[])[]

/** The most bytes a code at level Q holds (version 40). */
const bytesAtLevelQMax = 1_663

export const fitsOneCode = (text: string): boolean => Buffer.byteLength(text) <= bytesAtLevelQMax

/** The code of the certificate: level Q, UTF-8, a margin of one module. */
export function qrMatrix(text: string): QrMatrix {
  if (!fitsOneCode(text)) throw tooMuchForOneCode()
  return encodeQR(text, 'raw', { ecc: 'quartile', encoding: 'byte', border: 1 })
}

const tooMuchForOneCode = () =>
  new Fault('unavailable', 'The certificate holds more than one QR code can. Ask for one vaccine at a time.', {
    code: 'qr_generation_failed',
  })
