import { createRequire } from 'node:module'
import { assert } from '../../../../packages/faults/fault.ts'
import { outlineGlyph, type Outline } from './outline-glyph.ts'

const inter = (script: string) => `@fontsource-variable/inter/files/inter-${script}-wght-normal.woff2`
const arabic = '@fontsource-variable/noto-sans-arabic/files/noto-sans-arabic-arabic-wght-normal.woff2'

/** The letters that each is for, so that no font is opened in vain: that takes a tenth of a second. */
const scripts = [
  ['inter-latin', inter('latin'), /[\u0000-\u00ff\u0131\u0152\u0153\u2000-\u206f\u20ac\u2122]/],
  ['inter-latin-ext', inter('latin-ext'), /[\u0100-\u02ff\u1e00-\u1eff\u20a0-\u20cf]/],
  ['inter-vietnamese', inter('vietnamese'), /[\u0300-\u0329]|[\u0102-\u01b0\u1ea0-\u1ef9]/],
  ['inter-cyrillic', inter('cyrillic'), /[\u0400-\u045f\u0490\u0491\u2116]/],
  ['inter-cyrillic-ext', inter('cyrillic-ext'), /[\u0460-\u052f]/],
  ['inter-greek', inter('greek'), /[\u0370-\u03ff]/],
  ['noto-arabic', arabic, /[\u0600-\u06ff\u0750-\u077f\u0870-\u08ff\ufb50-\ufdff\ufe70-\ufefc]/],
] as const

/** A run of letters that one font has. */
export interface FontRun {
  readonly font: string
  readonly text: string
}

/** The fonts of one document, each opened when a letter first needs it. */
export class Fonts {
  readonly #document: PDFKit.PDFDocument
  readonly #opened = new Map<string, EmbeddedFont>()

  constructor(document: PDFKit.PDFDocument) {
    this.#document = document
  }

  /** A letter that no font has is a question mark: the fonts' own sign for a missing one is a black blot. */
  runsOf(word: string): readonly FontRun[] {
    const runs: { font: string; text: string }[] = []
    for (const wanted of word) {
      const letter = this.#knows(wanted) ? wanted : '?'
      if (isUnseen(wanted) && letter !== wanted) continue
      const before = runs.at(-1)
      // A mark that belongs to the letter before it stays with it.
      const font = before !== undefined && this.#has(before.font, letter) ? before.font : this.#fontOf(letter)
      if (before?.font === font) before.text += letter
      else runs.push({ font, text: letter })
    }
    return runs
  }

  /** Whether some font has every letter of it. */
  have(text: string): boolean {
    return Array.from(new Set(text)).every((letter) => isUnseen(letter) || this.#knows(letter))
  }

  #knows(letter: string): boolean {
    return this.#has(this.#fontOf(letter), letter)
  }

  #fontOf(letter: string): string {
    return scripts.find(([name, , letters]) => letters.test(letter) && this.#has(name, letter))?.[0] ?? scripts[0][0]
  }

  #has(name: string, letter: string): boolean {
    return this.#open(name).font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0)
  }

  #open(name: string): EmbeddedFont {
    const known = this.#opened.get(name)
    if (known !== undefined) return known
    const file = scripts.find(([script]) => script === name)?.[1]
    assert(file !== undefined, 'every font is in the table')
    this.#document.registerFont(name, createRequire(import.meta.url).resolve(file)).font(name)
    // pdfkit has no public way to the font it has just opened; the version is pinned and the tests read the text back.
    const { _font: opened } = this.#document as unknown as { readonly _font: EmbeddedFont }
    writeGlyphsAsOutlines(opened.subset)
    tellLettersApart(opened)
    this.#opened.set(name, opened)
    return opened
  }
}

/** Spaces, joiners and marks of direction: nothing is missed where they are not drawn. */
const isUnseen = (letter: string): boolean => /[\s\p{Default_Ignorable_Code_Point}]/u.test(letter)

interface EmbeddedFont {
  readonly font: Font
  readonly subset: Subset
  /** Of each glyph in the file: how wide it is, and which letters it stands for. */
  readonly widths: number[]
  readonly unicode: (readonly number[])[]
  readonly scale: number
  layout(text: string, features?: unknown): { readonly glyphs: readonly Glyph[]; readonly positions: readonly object[] }
  encode: (text: string, features?: unknown) => [codes: string[], positions: readonly object[]]
}

interface Glyph {
  readonly id: number
  readonly advanceWidth: number
  readonly codePoints: readonly number[]
}

interface DrawnGlyph extends Glyph {
  readonly path: Outline
}

interface Font {
  hasGlyphForCodePoint(codePoint: number): boolean
  getGlyph: (id: number, letters?: readonly number[]) => DrawnGlyph
}

interface Subset {
  readonly font: Font
  /** The ids of the glyphs in the file, in its order. */
  readonly glyphs: number[]
  readonly glyf: Buffer[]
  readonly loca: { readonly offsets: number[] }
  readonly hmtx: { readonly metrics: { advance: number; bearing: number }[] }
  offset: number
  _addGlyph: (id: number) => number
}

/**
 * fontkit 2.0 cannot take letters out of a WOFF2 font that are put together from others (é, أ): it looks for them where
 * a plain TrueType font has them. So each is written as one outline.
 */
function writeGlyphsAsOutlines(subset: Subset): void {
  subset._addGlyph = (id) => {
    const { path, advanceWidth } = subset.font.getGlyph(id)
    const bytes = outlineGlyph(path)
    subset.glyf.push(bytes)
    subset.loca.offsets.push(subset.offset)
    subset.hmtx.metrics.push({ advance: advanceWidth, bearing: bytes.length === 0 ? 0 : bytes.readInt16BE(2) })
    subset.offset += bytes.length
    return subset.glyf.length - 1
  }
}

/**
 * An Arabic font draws ب, ت and ي as one shape with other dots. fontkit remembers of each shape the letter that it first
 * stood for, and pdfkit writes each once: whoever copied a name got other letters than they saw. So each use has letters
 * of its own, and a shape is in the file once for each letter that it stands for.
 */
function tellLettersApart(opened: EmbeddedFont): void {
  const { font } = opened
  const shapeOf = font.getGlyph.bind(font)
  const known = new Map<string, DrawnGlyph>()
  font.getGlyph = (id, letters = []) => {
    const key = [id, ...letters].join(' ')
    // Kept: a glyph remembers what it has worked out of the font.
    const glyph = known.get(key) ?? withLetters(shapeOf(id, letters), letters)
    known.set(key, glyph)
    return glyph
  }
  const places = new Map<string, number>()
  opened.encode = (text, features) => {
    const { glyphs, positions } = opened.layout(text, features)
    const codes = glyphs.map(({ id, codePoints, advanceWidth }) => {
      const key = [id, ...codePoints].join(' ')
      const place = places.get(key) ?? opened.subset.glyphs.push(id) - 1
      places.set(key, place)
      opened.widths[place] = advanceWidth * opened.scale
      opened.unicode[place] = codePoints
      return place.toString(16).padStart(4, '0')
    })
    return [codes, positions]
  }
}

// Sound: what is made of a glyph has all that it has.
const withLetters = (glyph: DrawnGlyph, codePoints: readonly number[]): DrawnGlyph =>
  Object.create(glyph, { codePoints: { value: codePoints } }) as DrawnGlyph
