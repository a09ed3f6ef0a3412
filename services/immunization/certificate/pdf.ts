import { drawCodes } from './pdf/codes.ts'
import { drawDoses } from './pdf/dose-table.ts'
import { Sheet } from './pdf/sheet.ts'
import type { Direction } from './pdf/visual-order.ts'
import type { QrDrawing } from './qr-drawing.ts'

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

export interface CertificateWords {
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

/** The certificate as a PDF: one page, or as many as the doses need. The same bytes for the same model. */
export async function certificatePdf(model: CertificatePdfModel): Promise<Buffer> {
  const { words, person } = model
  // With the first certificate and not with the start, a tenth of which it took.
  const { default: Document } = await import('pdfkit')
  const document = new Document({
    size: model.paper,
    margin: 0,
    bufferPages: true,
    lang: model.language,
    displayTitle: true,
    info: {
      Title: `${words.title}: ${person.name}`,
      CreationDate: model.issuedAt,
      Producer: 'Corridor',
      Creator: 'Corridor',
    },
  })
  const finished = collect(document)
  const sheet = new Sheet(document, model.direction)
  drawHead(model, sheet)
  drawDoses(model, sheet)
  drawCodes(model, sheet)
  sheet.finish((number, of) => `${words.certificateId} ${model.uvci}  ·  ${words.page(number, of)}`)
  document.end()
  return finished
}

function drawHead({ words, person, issued, doses, isShort }: CertificatePdfModel, sheet: Sheet): void {
  sheet.text(words.title, { size: 22, isStrong: true })
  sheet.space(10)
  sheet.row([
    { label: words.name, value: person.name, share: 0.5 },
    { label: words.birthDate, value: person.birthDate, share: 0.25 },
    { label: words.issued, value: issued, share: 0.25 },
  ])
  const names = [person.name, ...doses.flatMap(({ vaccine, lot, givenBy }) => [vaccine, lot, givenBy])]
  const cautions = [
    ...(names.every((name) => sheet.writer.canWrite(name)) ? [] : [words.lettersMissing]),
    ...(isShort ? [words.codesLeaveOut] : []),
  ]
  for (const caution of cautions) {
    sheet.space(6)
    sheet.text(caution, { size: 9, colour: '#8a1c1c' })
  }
  sheet.space(12)
}

function collect(document: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    document.on('data', (part: Buffer) => parts.push(part))
    document.on('end', () => resolve(Buffer.concat(parts)))
    document.on('error', reject)
  })
}
