import { Fonts, type FontRun } from './fonts.ts'
import { directionOf, mirrored, visualOrder, type Direction } from './visual-order.ts'

export interface TextBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly size: number
  readonly colour?: string
  readonly isStrong?: boolean
  /** The side it stands on; the start of the page's direction unless said. */
  readonly align?: 'start' | 'end' | 'centre'
  /** In which direction it is read; by its first letter unless said. */
  readonly direction?: Direction
}

/** Writes lines of text in any script, word by word: pdfkit alone would put Arabic words in the wrong order. */
export class TextWriter {
  readonly #document: PDFKit.PDFDocument
  readonly #fonts: Fonts
  readonly #page: Direction

  constructor(document: PDFKit.PDFDocument, page: Direction) {
    this.#document = document
    this.#fonts = new Fonts(document)
    this.#page = page
  }

  /** As many lines as it takes; answers with the height that they fill. */
  write(text: string, box: TextBox): number {
    const lineHeight = box.size * 1.35
    const lines = this.#lines(text, box)
    for (const [at, line] of lines.entries()) this.#writeLine(line, { ...box, y: box.y + at * lineHeight })
    return Math.max(lines.length, 1) * lineHeight
  }

  /** False where a letter would come out as a question mark. */
  canWrite(text: string): boolean {
    return this.#fonts.have(text)
  }

  heightOf(text: string, box: Pick<TextBox, 'width' | 'size'>): number {
    return Math.max(this.#lines(text, box).length, 1) * box.size * 1.35
  }

  #lines(text: string, { width, size }: Pick<TextBox, 'width' | 'size'>): readonly string[] {
    const lines: string[] = []
    for (const word of text.split(/\s+/).filter((each) => each !== '')) {
      const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`
      if (lines.length > 0 && this.#widthOf(longer, size) <= width) lines[lines.length - 1] = longer
      else lines.push(...this.#cut(word, width, size))
    }
    return lines
  }

  /** A word that is wider than its box, such as a long lot number. */
  #cut(word: string, width: number, size: number): readonly string[] {
    if (this.#widthOf(word, size) <= width || word.length < 2) return [word]
    const letters = Array.from(word)
    const fits = (count: number) => this.#widthOf(letters.slice(0, count).join(''), size) <= width
    let count = 1
    // From the front: of a word of two thousand letters, each line costs what one line is long.
    while (count < letters.length - 1 && fits(count + 1)) count++
    return [letters.slice(0, count).join(''), ...this.#cut(letters.slice(count).join(''), width, size)]
  }

  #writeLine(line: string, box: TextBox): void {
    const direction = box.direction ?? directionOf(line, this.#page)
    const words = visualOrder(line, direction)
    let x = this.#startOf(words.join(' '), box)
    const isStrong = box.isStrong === true
    this.#document
      .fillColor(box.colour ?? '#111')
      .strokeColor(box.colour ?? '#111')
      .lineWidth(box.size / 40)
    for (const [at, word] of words.entries()) {
      if (at > 0) x += this.#spaceWidth(box.size)
      const runs = this.#fonts.runsOf(word)
      // The full stop after an Arabic word is of another font and stands on its left.
      for (const run of directionOf(word, direction) === 'rtl' ? runs.toReversed().map(asSeen) : runs) {
        const options = { lineBreak: false, fill: true, stroke: isStrong }
        this.#use(run, box.size).text(run.text, x, box.y + this.#drop(run, box.size), options)
        x += this.#runWidth(run, box.size)
      }
    }
  }

  #startOf(line: string, { x, width, size, align = 'start' }: TextBox): number {
    const free = width - this.#widthOf(line, size)
    if (align === 'centre') return x + free / 2
    const isRight = (align === 'start') === (this.#page === 'rtl')
    return isRight ? x + free : x
  }

  /** pdfkit puts the top of the font at y; the fonts differ in height, so their base lines are brought together. */
  #drop(run: FontRun, size: number): number {
    const height = this.#use(run, size).currentLineHeight(false)
    return run.font === 'noto-arabic' ? size * 1.21 - height * 0.78 : 0
  }

  #widthOf(text: string, size: number): number {
    const words = text.split(' ')
    const widths = words.flatMap((word) => this.#fonts.runsOf(word).map((run) => this.#runWidth(run, size)))
    return widths.reduce((sum, width) => sum + width, 0) + (words.length - 1) * this.#spaceWidth(size)
  }

  #spaceWidth(size: number): number {
    return this.#fonts.runsOf(' ').reduce((sum, run) => sum + this.#runWidth(run, size), 0)
  }

  #runWidth(run: FontRun, size: number): number {
    return this.#use(run, size).widthOfString(run.text)
  }

  #use({ font }: FontRun, size: number): PDFKit.PDFDocument {
    return this.#document.font(font).fontSize(size)
  }
}

/** Of a word from right to left. */
const asSeen = (run: FontRun): FontRun => (hasLetters.test(run.text) ? run : { ...run, text: mirrored(run.text) })

const hasLetters = /[\p{L}\p{N}]/u
