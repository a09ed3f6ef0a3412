import { setImmediate } from 'node:timers/promises'
import { pdfRectangles } from '../qr-drawing.ts'
import type { CertificatePdfModel } from './pdf-model.ts'
import type { Sheet } from './sheet.ts'
import { short } from './short.ts'

const gap = 18
/** A module of 0.45 mm is read from paper by every telephone. */
const modulePoints = 1.28
const captionSize = 8.5

/**
 * The codes side by side, drawn as shapes so that they are sharp at any size; a row never falls on two pages. Between two
 * rows others are served.
 */
export async function drawCodes({ codes: whole, words }: CertificatePdfModel, sheet: Sheet): Promise<void> {
  const codes = whole.map((code) => ({ ...code, caption: short(code.caption) }))
  sheet.space(16)
  const aboutHeight = sheet.writer.heightOf(words.about, { width: sheet.width, size: 9 }) + 6
  for (const [at, row] of rowsOf(codes, sheet.width).entries()) {
    if (at > 0) await setImmediate()
    const height = Math.max(...row.map((code) => heightOf(code, sheet)))
    if (height + (at === 0 ? aboutHeight : 0) > sheet.room) sheet.nextPage()
    if (at === 0) {
      sheet.text(words.about, { size: 9, colour: '#333' })
      sheet.space(6)
    }
    let start = 0
    for (const code of row) {
      const side = sideOf(code)
      const x = sheet.left(start, side)
      drawCode(code, x, sheet)
      const captioned = { x, y: sheet.y + side + 3, width: side, size: captionSize, align: 'centre' } as const
      sheet.writer.write(code.caption, captioned)
      start += side + gap
    }
    sheet.space(height + gap / 2)
  }
}

type Code = CertificatePdfModel['codes'][number]

const sideOf = ({ drawing }: Code) => Math.max(90, drawing.side * modulePoints)

const heightOf = (code: Code, sheet: Sheet) =>
  sideOf(code) + 3 + sheet.writer.heightOf(code.caption, { width: sideOf(code), size: captionSize })

function rowsOf(codes: readonly Code[], width: number): readonly (readonly Code[])[] {
  const rows: Code[][] = []
  let used = 0
  for (const code of codes) {
    const side = sideOf(code)
    if (rows.length === 0 || used + side > width) {
      rows.push([])
      used = 0
    }
    rows.at(-1)?.push(code)
    used += side + gap
  }
  return rows
}

function drawCode(code: Code, x: number, sheet: Sheet): void {
  const scale = sideOf(code) / code.drawing.side
  const square = sheet.document.save().translate(x, sheet.y).scale(scale)
  square.addContent(pdfRectangles(code.drawing)).fill('#000').restore()
}
