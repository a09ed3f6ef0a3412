import type { QrDrawing } from '../qr-drawing.ts'
import type { Direction } from './visual-order.ts'

/** What stands on the printed certificate. All words come from the caller, in the language of the reader. */
export interface CertificatePdfModel {
  readonly paper: 'A4' | 'LETTER'
  readonly language: string
  readonly direction: Direction
  readonly words: CertificateWords
  readonly person: { readonly name: string; readonly birthDate: string }
  /** In the order of the table. */
  readonly doses: readonly PdfDose[]
  readonly codes: readonly { readonly drawing: QrDrawing; readonly caption: string }[]
  /** Some dose is too long for any code. */
  readonly isShort: boolean
  readonly uvci: string
  readonly issuedAt: Date
  /** As it is shown. */
  readonly issued: string
}

interface CertificateWords {
  readonly title: string
  readonly name: string
  readonly birthDate: string
  readonly vaccine: string
  readonly date: string
  readonly dose: string
  readonly lot: string
  readonly givenBy: string
  readonly issued: string
  readonly certificateId: string
  readonly noDoses: string
  /** Where a name has letters that this file cannot show. */
  readonly lettersMissing: string
  /** Where a dose is in no code. */
  readonly codesLeaveOut: string
  /** Beneath the codes: what they are and how to check them. */
  readonly about: string
  readonly page: (number: number, of: number) => string
}

export interface PdfDose {
  readonly vaccine: string
  readonly date: string
  readonly dose: string
  readonly lot: string
  readonly givenBy: string
}
