import { setImmediate } from 'node:timers/promises'
import type { CertificatePdfModel, PdfDose } from './pdf-model.ts'
import type { Sheet } from './sheet.ts'
import { short } from './short.ts'

const columns = [
  ['vaccine', 0.32],
  ['date', 0.17],
  ['dose', 0.09],
  ['lot', 0.17],
  ['givenBy', 0.25],
] as const

const size = 10
const padding = 4

/** Three of the widest letters fill a line of the narrowest column, which still has to fit a page. */
const doseLettersMax = 100

/** A line takes a millisecond or two, and a patient may have written thousands of doses: in between others are served. */
const dosesATurn = 10

/** One line a dose; the head of the table stands again on every page. */
export async function drawDoses({ doses, words }: CertificatePdfModel, sheet: Sheet): Promise<void> {
  if (doses.length === 0) return sheet.text(words.noDoses, { size: 12 })
  drawHead(words, sheet)
  for (const [at, whole] of doses.entries()) {
    if (at % dosesATurn === dosesATurn - 1) await setImmediate()
    const dose = shortened(whole)
    const height = heightOf(dose, sheet)
    if (height > sheet.room) {
      sheet.nextPage()
      drawHead(words, sheet)
    }
    drawCells(dose, sheet, {})
    sheet.space(height)
    sheet.rule()
  }
}

const shortened = ({ vaccine, date, dose, lot, givenBy }: PdfDose): PdfDose => ({
  ...{ vaccine: short(vaccine), date: short(date), dose: short(dose, doseLettersMax), lot: short(lot) },
  givenBy: short(givenBy),
})

function drawHead(words: PdfDose, sheet: Sheet): void {
  drawCells(words, sheet, { colour: '#555' })
  sheet.space(heightOf(words, sheet))
  sheet.rule('#111')
}

function drawCells(cells: PdfDose, sheet: Sheet, style: { readonly colour?: string }): void {
  let start = 0
  for (const [name, share] of columns) {
    const width = sheet.width * share - 6
    const box = { x: sheet.left(start, width), y: sheet.y + padding, width, size }
    const isHead = style.colour !== undefined
    sheet.writer.write(cells[name], {
      ...{ ...box, ...style, isStrong: name === 'vaccine' && !isHead },
      // As on the vial, whatever the page is written in.
      ...(name === 'lot' && !isHead ? { direction: 'ltr' } : {}),
    })
    start += sheet.width * share
  }
}

function heightOf(cells: PdfDose, sheet: Sheet): number {
  const heights = columns.map(([name, share]) =>
    sheet.writer.heightOf(cells[name], { width: sheet.width * share - 6, size }),
  )
  return Math.max(...heights) + 2 * padding
}
