import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { certificateCodes } from './groups.ts'
import { certificatePdf } from './pdf.ts'
import { drawCodes } from './pdf/codes.ts'
import { drawDoses } from './pdf/dose-table.ts'
import type { CertificatePdfModel } from './pdf/pdf-model.ts'
import { outlineGlyph } from './pdf/outline-glyph.ts'
import { Sheet } from './pdf/sheet.ts'
import { directionOf, mirrored, visualOrder } from './pdf/visual-order.ts'
import { qrMatrix } from './qr-matrix.ts'
import { qrDrawing } from './qr-drawing.ts'
import { history } from './testing/histories.ts'

const words = {
  title: 'Certificate of vaccination',
  name: 'Name',
  birthDate: 'Date of birth',
  vaccine: 'Vaccine',
  date: 'Date',
  dose: 'Dose',
  lot: 'Lot',
  givenBy: 'Given by',
  issued: 'Issued',
  certificateId: 'Certificate',
  noDoses: 'No vaccinations are recorded.',
  lettersMissing: 'Some letters are missing.',
  codesLeaveOut: 'Some doses are in no code.',
  about: 'For machines to read.',
  page: (number: number, of: number) => `page ${number} of ${of}`,
}

function model(doses: number, more: Partial<CertificatePdfModel> = {}): CertificatePdfModel {
  const immunizations = history(doses)
  const uvci = 'URN:UVCI:01:CORR:0123456789ABCDEF'
  const patient = { name: 'Amina Diallo', birthDate: '2025-03-01' }
  return {
    paper: 'A4',
    language: 'en',
    direction: 'ltr',
    words,
    person: patient,
    doses: immunizations.map((dose) => ({
      vaccine: dose.vaccineName ?? '',
      date: dose.occurrenceDate ?? '',
      dose: dose.doseNumber ?? '',
      lot: dose.lotNumber ?? '',
      givenBy: dose.performerDisplay ?? '',
    })),
    codes: certificateCodes({ patient, immunizations, uvci }).map(({ text, number, of }) => ({
      drawing: qrDrawing(qrMatrix(text)),
      caption: `${number} of ${of}`,
    })),
    isShort: false,
    uvci,
    issuedAt: new Date('2026-03-04T05:06:07Z'),
    issued: '4 March 2026',
    ...more,
  }
}

it('is drawn in turns with whatever else is to be done, however many doses and codes there are', async () => {
  const { default: Document } = await import('pdfkit')
  const many = model(200)
  for (const draw of [drawDoses, drawCodes]) {
    const sheet = new Sheet(new Document({ bufferPages: true }), 'ltr')
    const drawn = { isDone: false, turns: 0 }
    const otherWork = () => {
      drawn.turns++
      if (!drawn.isDone) setImmediate(otherWork)
    }
    setImmediate(otherWork)
    await draw(many, sheet)
    drawn.isDone = true
    expect(drawn.turns).toBeGreaterThan(2)
  }
})

const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length ?? 0

/** Every compressed stream of the file, unpacked: the drawings and the tables from glyphs to letters. */
function streamsOf(pdf: Buffer): string {
  const text = pdf.toString('latin1')
  return [...text.matchAll(/\/Filter \/FlateDecode[^>]*>>\s*stream\n/g)]
    .map(({ index, 0: head }) => {
      const start = index + head.length
      return inflateSync(pdf.subarray(start, text.indexOf('\nendstream', start))).toString('latin1')
    })
    .join('\n')
}

/** What a reader copies: each word that is drawn, by each table from glyphs to letters; Arabic is drawn from its end. */
function wordsIn(streams: string): readonly string[] {
  const tables = [...streams.matchAll(/beginbfrange([^]*?)endbfrange/g)].map(([, table = '']) =>
    (table.slice(table.indexOf('[')).match(/<[^>]*>/g) ?? []).map(fromHex),
  )
  const drawn = [...streams.matchAll(/^BT\n([^]*?)\nET$/gm)].map(([, word = '']) =>
    (word.match(/<[^>]*>/g) ?? []).flatMap((part) => part.match(/[0-9a-f]{4}/g) ?? []),
  )
  return tables.flatMap((letters) =>
    drawn.flatMap((codes) => {
      const read = codes.map((code) => letters[Number.parseInt(code, 16)] ?? '')
      return [read.join(''), read.toReversed().join('')]
    }),
  )
}

/** What begins with a sign that the table of the letters has, and how far from the left it stands. */
function signsIn(streams: string): readonly { readonly sign: string; readonly x: number }[] {
  const tables = [...streams.matchAll(/beginbfrange([^]*?)endbfrange/g)].map(([, table = '']) =>
    (table.slice(table.indexOf('[')).match(/<[^>]*>/g) ?? []).map(fromHex),
  )
  const latin = tables.find((letters) => letters.includes('('))
  return [...streams.matchAll(/^1 0 0 1 ([\d.]+) [\d.]+ Tm\n[^]*?\[<([0-9a-f]{4})/gm)].map(([, x, code = '']) => ({
    ...{ x: Number(x), sign: latin?.[Number.parseInt(code, 16)] ?? '' },
  }))
}

const fromHex = (hex: string) =>
  String.fromCharCode(...(hex.match(/[0-9a-f]{4}/gi) ?? []).map((unit) => Number.parseInt(unit, 16)))

describe('the certificate as a PDF', () => {
  it.each(['A4', 'LETTER'] as const)('is one page on %s for a usual history', async (paper) => {
    expect(pagesOf(await certificatePdf(model(10, { paper })))).toBe(1)
  })

  it('goes on to further pages when it must', async () => {
    expect(pagesOf(await certificatePdf(model(60)))).toBeGreaterThan(1)
  })

  it('is the same for the same certificate', async () => {
    const [one, other] = await Promise.all([certificatePdf(model(3)), certificatePdf(model(3))])
    expect(one?.equals(other ?? Buffer.alloc(0))).toBe(true)
  })

  it('says its language and title', async () => {
    const pdf = (await certificatePdf(model(1))).toString('latin1')
    expect(pdf).toContain('/Lang (en)')
    expect(pdf).toContain('(Certificate of vaccination: Amina Diallo)')
  })

  it('draws the code as shapes, every run of dark modules', async () => {
    const one = model(1)
    const drawn = streamsOf(await certificatePdf(one))
    const runs = one.codes[0]?.drawing.runs.length ?? 0
    expect(runs).toBeGreaterThan(500)
    expect(drawn.match(/^\d+ \d+ \d+ 1 re$/gm)?.length).toBe(runs)
  })

  it('can be searched for a name in any of its scripts', async () => {
    const pdf = streamsOf(await certificatePdf(model(1, { person: { name: 'Łucja أمينة Юрий', birthDate: '' } })))
    // The letters, as the tables from glyphs to Unicode name them: Ł, meem, Yu.
    for (const letter of ['0141', '0645', '042e']) expect(pdf.toLowerCase()).toContain(letter)
  })

  it.each(['عبد العزيز عبد الرحمن المنصوري', 'أمينة بنت ثابت', 'رضا پور تیموری', 'Éluard Çelik'])(
    'gives whoever copies a name the letters that they see: %s',
    async (name) => {
      const copied = wordsIn(streamsOf(await certificatePdf(model(0, { person: { name, birthDate: '' } }))))
      for (const word of name.split(' ')) expect(copied).toContain(word)
    },
  )

  it.each([
    ['Amina Diallo', true],
    ['أمينة ديالو', true],
    ['رضا\u200cپور \u200eY', true],
    ['王小明', false],
    ['አበበ', false],
    ['\u{1F600} X', false],
    [`${'x'.repeat(300)}王`, true],
  ])('says so when it has no letters for a name: %s', async (name, isWhole) => {
    const lettersMissing = 'Ω'
    const person = { name, birthDate: '' }
    const pdf = streamsOf(await certificatePdf(model(1, { person, words: { ...words, lettersMissing } })))
    // Nothing else on the sheet is Greek.
    expect(pdf.toLowerCase().includes('<03a9>')).toBe(!isWhole)
  })

  it.each(['ltr', 'rtl'] as const)('has lots as on the vial on a page that is read %s', async (direction) => {
    const [dose] = model(1).doses
    const doses = dose === undefined ? [] : [{ ...dose, lot: '1111 222222' }]
    const drawn = streamsOf(await certificatePdf(model(1, { direction, doses, codes: [] })))
    const placeOf = (digits: number) =>
      Number(
        new RegExp(
          `^1 0 0 1 ([\\d.]+) [\\d.]+ Tm\\n\\S+ [\\d.]+ Tf\\n(?:.*Tr\\n)?\\[<([0-9a-f]{4})\\2{${digits - 1}}>`,
          'm',
        ).exec(drawn)?.[1],
      )
    expect(placeOf(4)).toBeGreaterThan(0)
    expect(placeOf(4)).toBeLessThan(placeOf(6))
  })

  it('is one page also where somebody wrote a page in the place of a lot', async () => {
    const doses = model(1).doses.map((dose) => ({ ...dose, lot: 'x'.repeat(100_000) }))
    expect(pagesOf(await certificatePdf(model(1, { isShort: true, doses })))).toBe(1)
  })

  it.each([
    ['name', (text: string): Partial<CertificatePdfModel> => ({ person: { name: text, birthDate: '' } })],
    ['vaccine', (text: string) => ({ codes: model(1).codes.map((code) => ({ ...code, caption: text })) })],
  ])('is drawn as soon as any other where somebody wrote a book in the place of a %s', async (_, said) => {
    const letters = (pdf: Buffer) => wordsIn(streamsOf(pdf)).join('').match(/x/g)?.length
    const whole = await certificatePdf(model(0, said('x'.repeat(300))))
    const cut = await certificatePdf(model(0, said('x'.repeat(100_000))))
    expect(letters(cut)).toBe(letters(whole))
    expect(wordsIn(streamsOf(cut)).some((word) => word.endsWith('…'))).toBe(true)
  })

  it('draws nothing beneath the edge of the paper, wherever the widest letters stand', async () => {
    const wide = 'W'.repeat(400)
    const doses = [{ vaccine: wide, date: wide, dose: wide, lot: wide, givenBy: wide }]
    const person = { name: wide, birthDate: '' }
    const drawn = streamsOf(await certificatePdf(model(0, { paper: 'LETTER', person, doses })))
    const heights = [...drawn.matchAll(/^1 0 0 1 [-\d.]+ ([-\d.]+) Tm$/gm)].map(([, y]) => Number(y))
    expect(heights.length).toBeGreaterThan(100)
    expect(Math.min(...heights)).toBeGreaterThan(24)
  })

  it.each([
    ['around an Arabic name', '(أمينة)'],
    ['around a Latin one', '(Amina'],
  ])('has brackets that close %s', async (_, name) => {
    const drawn = streamsOf(await certificatePdf(model(0, { codes: [], person: { name, birthDate: '' } })))
    const places = (bracket: string) =>
      signsIn(drawn)
        .filter(({ sign }) => sign === bracket)
        .map(({ x }) => x)
    const [opening = 0] = places('(')
    const [closing = 1_000] = places(')')
    expect(opening).toBeGreaterThan(0)
    expect(closing).toBeGreaterThan(opening)
  })

  it('is whole without doses and codes, from right to left', async () => {
    const arabic = { ...words, title: 'شهادة التطعيم' }
    expect(pagesOf(await certificatePdf(model(0, { codes: [], direction: 'rtl', words: arabic })))).toBe(1)
  })
})

describe('a line of words is seen in the order', () => {
  it.each([
    ['ltr', 'Amina Diallo', ['Amina', 'Diallo']],
    ['rtl', 'أمينة بنت علي', ['علي', 'بنت', 'أمينة']],
    ['rtl', 'أمينة بنت John Smith', ['John', 'Smith', 'بنت', 'أمينة']],
    ['ltr', 'Dr أمينة علي Diallo', ['Dr', 'علي', 'أمينة', 'Diallo']],
    ['ltr', '', []],
  ] as const)('%s: %s', (line, text, seen) => {
    expect(visualOrder(text, line)).toEqual(seen)
  })

  it.each([
    ['(', ')'],
    [').', '.('],
    ['«', '»'],
    [',', ','],
  ])('%s beside an Arabic word as %s', (signs, seen) => {
    expect(mirrored(signs)).toBe(seen)
  })

  it.each([
    ['2025 أمينة', 'rtl'],
    ['2025', 'ltr'],
    ['Amina أمينة', 'ltr'],
  ] as const)('of %s, %s', (text, direction) => {
    expect(directionOf(text)).toBe(direction)
  })
})

it('writes an outline as one simple TrueType glyph', () => {
  const triangle = {
    commands: [
      { command: 'moveTo', args: [0, 0] },
      { command: 'lineTo', args: [100, 0] },
      { command: 'quadraticCurveTo', args: [100, 50, 0, 100] },
      { command: 'closePath', args: [] },
    ],
  }
  const glyph = outlineGlyph(triangle)
  expect(glyph.readInt16BE(0)).toBe(1)
  expect([2, 4, 6, 8].map((at) => glyph.readInt16BE(at))).toEqual([0, 0, 100, 100])
  expect(glyph.readUInt16BE(10)).toBe(3)
  expect([...glyph.subarray(14, 18)]).toEqual([1, 1, 0, 1])
  expect(glyph.length % 4).toBe(0)
  expect(outlineGlyph({ commands: [] })).toHaveLength(0)
})
