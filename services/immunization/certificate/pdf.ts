import { drawCodes } from './pdf/codes.ts'
import { drawDoses } from './pdf/dose-table.ts'
import type { CertificatePdfModel } from './pdf/pdf-model.ts'
import { Sheet } from './pdf/sheet.ts'
import { short } from './pdf/short.ts'

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
      Title: `${words.title}: ${short(person.name)}`,
      CreationDate: model.issuedAt,
      Producer: 'Corridor',
      Creator: 'Corridor',
    },
  })
  const finished = collect(document)
  const sheet = new Sheet(document, model.direction)
  drawHead(model, sheet)
  await drawDoses(model, sheet)
  await drawCodes(model, sheet)
  sheet.finish((number, of) => `${words.certificateId} ${model.uvci}  ·  ${words.page(number, of)}`)
  document.end()
  return finished
}

function drawHead({ words, person, issued, doses, isShort }: CertificatePdfModel, sheet: Sheet): void {
  sheet.text(words.title, { size: 22, isStrong: true })
  sheet.space(10)
  sheet.row([
    { label: words.name, value: short(person.name), share: 0.5 },
    { label: words.birthDate, value: person.birthDate, share: 0.25 },
    { label: words.issued, value: issued, share: 0.25 },
  ])
  const names = [person.name, ...doses.flatMap(({ vaccine, lot, givenBy }) => [vaccine, lot, givenBy])].map((name) =>
    short(name),
  )
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
