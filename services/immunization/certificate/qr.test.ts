import { describe, expect, it } from 'vitest'
import { vaccineGroups } from './certified-dose.ts'
import { certificateCodes, leavesOut } from './groups.ts'
import { certificatePayload, payloadText } from './payload.ts'
import { qrMatrix } from './qr-matrix.ts'
import { qrPng } from './qr-png.ts'
import { qrDrawing, svgPath } from './qr-drawing.ts'
import { history } from './testing/histories.ts'
import { readPng } from './testing/read-png.ts'
import { byJsQr, byZxing } from './testing/readers.ts'

const uvci = 'URN:UVCI:01:CORR:0123456789ABCDEF'
const patient = { name: 'Diallo, Amina', birthDate: '2025-03-01' }

describe('every code is read alike by two independent readers', () => {
  // Below 179 pixels the densest code does not fit; there it is one dose.
  const sizes = [79, 80, 99, 123, 150, 178, 2_000, ...Array.from({ length: 43 }, (_, at) => 179 + at * 9)]

  it.each(sizes.map((size, at) => [size, size < 179 ? 1 : 1 + ((at * 7) % 12)]))(
    'at %i pixels, of %i doses',
    async (size, doses) => {
      const [code] = certificateCodes({ patient, immunizations: history(doses), uvci })
      const text = code?.text ?? ''
      expect(await readBack(qrPng(text, { size }))).toEqual(exactly(size, text))
    },
  )

  it('for 1 to 60 doses, in as many codes as it takes', async () => {
    const texts = new Set<string>()
    for (let doses = 1; doses <= 60; doses++) {
      const codes = certificateCodes({ patient, immunizations: history(doses), uvci })
      expect(codes.reduce((sum, code) => sum + code.doses, 0)).toBe(doses)
      // Many are the same from one history to the next: each is read once.
      for (const { text } of codes) texts.add(text)
    }
    expect(texts.size).toBeGreaterThan(60)
    for (const text of texts) {
      const size = 2 * qrMatrix(text).length + 1
      expect(await readBack(qrPng(text, { size }))).toEqual(exactly(size, text))
    }
  })

  it('with names in other scripts', async () => {
    const name = 'أمينة بنت علي 王小明 Ñandú 🙂'
    const immunizations = history(2).map((dose) => ({ ...dose, vaccineName: name }))
    const text = payloadText(certificatePayload({ patient: { ...patient, name }, immunizations, uvci }))
    expect(await readBack(qrPng(text, { size: 600 }))).toEqual(exactly(600, text))
  })
})

describe('a certificate that fits no single code', () => {
  it('is refused with 500 qr_generation_failed, one byte above 1663', () => {
    expect(qrMatrix('x'.repeat(1_663))).toHaveLength(179)
    expect(() => qrPng('x'.repeat(1_664))).toThrow(
      expect.objectContaining({
        code: 'qr_generation_failed',
        message: expect.stringContaining('one vaccine at a time'),
      }),
    )
  })

  it('becomes one complete certificate per vaccine, all with the same id', () => {
    const codes = certificateCodes({ patient, immunizations: history(24), uvci })
    expect(codes.map(({ number, of }) => `${number} of ${of}`)).toEqual(
      Array.from({ length: 8 }, (_, at) => `${at + 1} of 8`),
    )
    for (const { text } of codes) {
      expect(JSON.parse(text)).toMatchObject({ typ: 'icao.vacc', msg: { uvci, pid: { dob: '2025-03-01' } } })
    }
  })

  it('is cut further when one vaccine alone has too many doses, and the doses keep their numbers', () => {
    const immunizations = history(45).map((dose) => ({ ...dose, vaccineCode: '20', doseNumber: null }))
    const codes = certificateCodes({ patient, immunizations, uvci })
    expect(codes.length).toBeGreaterThan(1)
    const numbers = codes.flatMap(({ text }) => {
      const { msg } = JSON.parse(text) as ReturnType<typeof certificatePayload>
      return msg.ve.flatMap(({ vd }) => vd.map(({ seq }) => seq))
    })
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 45 }, (_, at) => at + 1))
  })

  it('is in none where the name alone fits none, which is not tried with every dose', () => {
    let looks = 0
    const named = {
      ...patient,
      get name() {
        looks++
        return 'x'.repeat(2_000)
      },
    }
    expect(certificateCodes({ patient: named, immunizations: history(60), uvci })).toEqual([])
    expect(looks).toBeLessThan(10)
  })

  it('leaves out a dose that fits no code, and has the others', () => {
    const immunizations = history(3).map((dose, at) => (at === 1 ? { ...dose, lotNumber: 'x'.repeat(2_000) } : dose))
    const groups = vaccineGroups(immunizations)
    const codes = certificateCodes({ patient, immunizations, uvci })
    expect(codes.reduce((sum, { doses }) => sum + doses, 0)).toBe(2)
    expect(leavesOut(codes, groups)).toBe(true)
    expect(leavesOut(certificateCodes({ patient, immunizations: history(45), uvci }), vaccineGroups(history(45)))).toBe(
      false,
    )
  })
})

describe('the size', () => {
  it.each([49, 2_001, 0, -1, 300.5, Number.NaN])('%d is refused', (size) => {
    expect(() => qrPng('text', { size })).toThrow(
      expect.objectContaining({
        kind: 'incorrect',
        code: 'invalid_size',
        message: 'The size is a whole number of pixels from 50 to 2000.',
      }),
    )
  })

  it('too small for the code is refused, and the sentence names what it needs', () => {
    const text = payloadText(certificatePayload({ patient, immunizations: history(8), uvci }))
    const needed = qrMatrix(text).length
    expect(() => qrPng(text, { size: needed - 1 })).toThrow(`This code needs a size of at least ${needed} pixels.`)
    expect(readPng(qrPng(text, { size: needed }))).toMatchObject({ width: needed, height: needed })
  })

  it('is 300 unless said otherwise', () => {
    expect(readPng(qrPng('text'))).toMatchObject({ width: 300, height: 300 })
  })
})

it('is drawn for pages as one path that covers exactly the dark modules', () => {
  const matrix = qrMatrix('text')
  const dark = matrix.flat().filter(Boolean).length
  const drawing = qrDrawing(matrix)
  const runs = [...svgPath(drawing).matchAll(/M\d+ \d+h(\d+)v1h-\d+z/g)].map(([, length]) => Number(length))
  expect(runs.reduce((sum, length) => sum + length, 0)).toBe(dark)
  expect(drawing.side).toBe(matrix.length)
})

async function readBack(png: Buffer) {
  const picture = readPng(png)
  return { width: picture.width, height: picture.height, jsQr: byJsQr(picture), zxing: await byZxing(png) }
}

const exactly = (size: number, text: string) => ({
  width: size,
  height: size,
  jsQr: text,
  zxing: { text, level: 'Q' },
})
