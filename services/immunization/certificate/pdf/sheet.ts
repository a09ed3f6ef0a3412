import { TextWriter, type TextBox } from './text-writer.ts'
import type { Direction } from './visual-order.ts'

const margin = 48
const footHeight = 24

/** The pages of a document and the place where the next thing goes. */
export class Sheet {
  readonly document: PDFKit.PDFDocument
  readonly writer: TextWriter
  readonly #direction: Direction
  y = margin

  constructor(document: PDFKit.PDFDocument, direction: Direction) {
    this.document = document
    this.writer = new TextWriter(document, direction)
    this.#direction = direction
  }

  get width(): number {
    return this.document.page.width - 2 * margin
  }

  /** What is left of this page. */
  get room(): number {
    return this.document.page.height - margin - footHeight - this.y
  }

  /** From the start of a line to a place in points: from the left or, where it is read so, from the right. */
  left(start: number, width: number): number {
    return this.#direction === 'ltr' ? margin + start : margin + this.width - start - width
  }

  text(text: string, box: Omit<TextBox, 'x' | 'y' | 'width'>): void {
    this.y += this.writer.write(text, { ...box, x: margin, y: this.y, width: this.width })
  }

  space(height: number): void {
    this.y += height
  }

  /** Facts side by side, each under its label. */
  row(facts: readonly { readonly label: string; readonly value: string; readonly share: number }[]): void {
    let start = 0
    let height = 0
    for (const { label, value, share } of facts) {
      const width = this.width * share - 8
      const box = { x: this.left(start, width), y: this.y, width }
      const labelHeight = this.writer.write(label, { ...box, size: 8.5, colour: '#555' })
      const valueHeight = this.writer.write(value, { ...box, y: this.y + labelHeight, size: 13, isStrong: start === 0 })
      height = Math.max(height, labelHeight + valueHeight)
      start += this.width * share
    }
    this.y += height
  }

  rule(colour = '#ccc'): void {
    this.document
      .moveTo(margin, this.y)
      .lineTo(margin + this.width, this.y)
      .lineWidth(0.6)
      .strokeColor(colour)
      .stroke()
  }

  nextPage(): void {
    this.document.addPage()
    this.y = margin
  }

  finish(foot: (number: number, of: number) => string): void {
    const { count } = this.document.bufferedPageRange()
    for (let at = 0; at < count; at++) {
      this.document.switchToPage(at)
      const y = this.document.page.height - margin - footHeight / 2
      this.writer.write(foot(at + 1, count), { x: margin, y, width: this.width, size: 8, colour: '#555' })
    }
  }
}
