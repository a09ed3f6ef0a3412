import assert from 'node:assert/strict'
import { describe, expect, it } from 'vitest'
import { oneOf, tryCases, type Choose } from '../../testkit/cases.ts'
import { casesOf, casesTimeoutMs } from '../../testkit/extent.ts'
import { frame, Framer, type FrameEvent } from './framer.ts'

const VT = '\u000b'
const FS = '\u001c'
const framed = (text: string) => `${VT}${text}${FS}\r`

/** Pushes the pieces and shows what came out, as short texts. */
function run(pieces: readonly (string | Buffer)[], frameBytesMax?: number): string[] {
  const framer = new Framer(frameBytesMax === undefined ? {} : { frameBytesMax })
  const events = pieces.flatMap((piece) => framer.push(Buffer.from(piece as string, 'latin1')))
  return [...events, ...framer.end()].map(show)
}

function show(event: FrameEvent): string {
  if (event.kind === 'frame') return event.bytes.toString('latin1')
  return `${event.kind} ${event.length}`
}

describe('frames', () => {
  it.each([
    ['one', [framed('a')], ['a']],
    ['three in one read', [framed('a') + framed('b') + framed('c')], ['a', 'b', 'c']],
    ['one and a half, then the rest', [`${framed('a')}${VT}b`, `c${FS}\r`], ['a', 'bc']],
    ['FS and CR apart', [`${VT}a${FS}`, '\r', framed('b')], ['a', 'b']],
    ['FS without CR', [`${VT}a${FS}`, `${VT}b${FS}`], ['a', 'b']],
    ['FS CR LF', [`${VT}a${FS}\r\n${VT}b${FS}\r\n`], ['a', 'b']],
    ['noise before', ['junk', `x${framed('a')}`], ['noise 5', 'a']],
    ['noise between', [`${framed('a')}??${framed('b')}`], ['a', 'noise 2', 'b']],
    ['noise at the end', [`${framed('a')}zz`], ['a', 'noise 2']],
    ['no end block, then a new frame', [`${VT}lost${framed('b')}`], ['resync 4', 'b']],
    ['two start blocks', [`${VT}${framed('b')}`], ['b']],
    ['an end block without a start', [`${FS}\r${framed('b')}`], ['noise 1', 'b']],
    ['an empty frame', [framed('')], ['']],
    ['a frame that never ends', [`${VT}abc`], ['cut 3']],
    ['nothing', [''], []],
  ])('%s', (_what, pieces, events) => {
    expect(run(pieces)).toEqual(events)
    expect(run(Array.from(pieces.join('')))).toEqual(events)
  })
})

describe('frames in UTF-16', () => {
  const inUtf16 = (text: string, order: 'little' | 'big'): string => {
    const bytes = Buffer.from(text, 'utf16le')
    return (order === 'little' ? bytes : bytes.swap16()).toString('latin1')
  }
  const message = (name: string, end = '\r') => `MSH|^~\\&|A|B\rPID|1||7||${name}||1980${end}`

  // М, ज and Ĝ have the byte of an end block, Ћ and ऋ that of a start block, ᰀ and ଅ have them as their other byte.
  it.each(['Маликова^Марина', 'राजेश^राज', 'Ĝ', 'Ћорић', 'ऋ', 'ᰀ', 'ଅ', 'ଋ', 'МЋМ', 'രാജു^രാജ'])(
    'end where they end, and not within a letter: %s',
    (name) => {
      for (const order of ['little', 'big'] as const) {
        for (const end of ['\r', '\n', '\r\n', '']) {
          for (const mark of ['\ufeff', '']) {
            const text = inUtf16(`${mark}${message(name, end)}`, order)
            const stream = `${framed(text)}${framed('b')}${framed(text)}`
            expect(run([stream]), `${order} ${JSON.stringify(end)}`).toEqual([text, 'b', text])
            expect(run(Array.from(stream))).toEqual([text, 'b', text])
          }
        }
      }
    },
  )

  it('end without the CR behind them where their last line has ended, or the stream has', () => {
    for (const order of ['little', 'big'] as const) {
      const [whole, open] = [inUtf16(message('М'), order), inUtf16(message('М', ''), order)]
      expect(run([`${VT}${whole}${FS}`, `${VT}b${FS}`, `${VT}${open}${FS}`])).toEqual([whole, 'b', open])
    }
  })

  it.each(['МА\nМА', 'രാജു', 'ജ\nജ\nജഊ', 'ജജ'])(
    'do not end where text goes on, nor at a letter of FS and CR: %j',
    (text) => {
      for (const end of ['\r', '\n', '\r\n', '']) {
        const note = inUtf16(`${message('М')}NTE|1||${text}${end}`, 'little')
        expect(run([framed(note) + framed(note)])).toEqual([note, note])
        expect(run(Array.from(`${framed(note)}\n${framed(note)}`))).toEqual([note, note])
      }
    },
  )

  it.each(['', '\r', '\r\n'])('are held where FS and %j may be letters, and end there when nothing follows', (more) => {
    const text = inUtf16(message('М', ''), 'little')
    const framer = new Framer()
    expect(framer.push(Buffer.from(`${VT}${text}${FS}${more}`, 'latin1'))).toEqual([])
    expect(framer.heldBytes).toBe(1 + more.length)
    expect(framer.takeHeld().map(show)).toEqual([text])
    expect(framer.push(Buffer.from(framed('b'))).map(show)).toEqual(['b'])
    expect(framer.takeHeld()).toEqual([])
  })

  it('are cut where they have no end, and those of one byte a letter are what they were', () => {
    const text = inUtf16(message('М'), 'little')
    expect(run([`${VT}${text}`])).toEqual([`cut ${text.length}`])
    expect(run([`${VT}MSH|a${FS}b${VT}c${FS}`])).toEqual(['MSH|a', 'noise 1', 'c'])
  })
})

describe('the limit', () => {
  it('lets a frame of exactly that size through and stops one of a byte more', () => {
    expect(run([framed('x'.repeat(100))], 100)).toEqual(['x'.repeat(100)])
    expect(run([framed('x'.repeat(101)) + framed('b')], 100)).toEqual(['oversize 101', 'b'])
  })

  it('skips the rest of a frame that is too large and reports it once', () => {
    const pieces = [VT, ...Array.from({ length: 50 }, () => 'x'.repeat(60)), `${FS}\r`, framed('b')]
    expect(run(pieces, 100)).toEqual(['oversize 120', 'b'])
    expect(run([`${VT}${'x'.repeat(200)}`, framed('b')], 100)).toEqual(['oversize 200', 'b'])
  })

  it('keeps the beginning for the answer', () => {
    const [event] = new Framer({ frameBytesMax: 10_000 }).push(Buffer.from(`${VT}MSH${'x'.repeat(20_000)}`))
    expect(event).toMatchObject({ kind: 'oversize' })
    expect(event?.kind === 'oversize' && event.head.length).toBe(4_096)
    expect(event?.kind === 'oversize' && event.head.toString('latin1', 0, 3)).toBe('MSH')
  })
})

describe('the cost', () => {
  it.each([1, 7, 1_460, 65_536])('grows with the bytes only, in pieces of %i', (size) => {
    const total = size < 1_000 ? 500_000 : 50_000_000
    const framer = new Framer({ frameBytesMax: total })
    const piece = Buffer.alloc(size, 0x41)
    framer.push(Buffer.from(VT))
    for (let sent = 0; sent + size <= total; sent += size) framer.push(piece)
    const [event] = framer.push(Buffer.from(`${FS}\r`))
    expect(event?.kind === 'frame' && event.bytes.length).toBe(Math.floor(total / size) * size)
    expect(framer.work.scannedBytes).toBeLessThanOrEqual(2 * (total + 3))
    expect(framer.work.copiedBytes).toBeLessThanOrEqual(2 * (total + 3))
  })

  it('stays linear when one read holds thousands of frames', () => {
    const stream = Buffer.from(framed('MSH|^~\\&').repeat(5_000))
    const framer = new Framer()
    expect(framer.push(stream)).toHaveLength(5_000)
    expect(framer.work.scannedBytes).toBeLessThanOrEqual(3 * stream.length)
  })
})

describe('any stream', { timeout: casesTimeoutMs }, () => {
  const signs = [VT, FS, '\r', '\n', 'a', 'b', framed('MSH|1')]
  const sizes = [...Array.from({ length: 7 }, () => [16, 4] as const), [40, 12] as const]
  const streamCount = casesOf({ daily: 20_000, long: 2_000_000 })
  const cutsEach = 10

  function anyStream(choose: Choose, signsMax: number): string {
    let stream = ''
    for (let left = choose(signsMax + 1); left > 0; left--) stream += oneOf(choose, signs)
    return stream
  }

  function cuts(choose: Choose, length: number, cutsMax: number): number[] {
    const places: number[] = []
    for (let left = choose(cutsMax + 1); left > 0; left--) places.push(choose(length + 1))
    return places.sort((a, b) => a - b)
  }

  function eventsOf(stream: Buffer, places: readonly number[], frameBytesMax: number): FrameEvent[] {
    const framer = new Framer({ frameBytesMax })
    const events: FrameEvent[] = []
    let from = 0
    for (const place of places) {
      events.push(...framer.push(stream.subarray(from, place)))
      from = place
    }
    events.push(...framer.push(stream.subarray(from)), ...framer.end())
    return events
  }

  it(`gives the same events however it is cut: ${streamCount} streams, each in ${cutsEach} ways`, () => {
    tryCases(
      streamCount,
      (choose) => {
        // What a framer gets wrong it gets wrong within a few signs; now and then there are many.
        const [signsMax, cutsMax] = oneOf(choose, sizes)
        const stream = anyStream(choose, signsMax)
        const ways = Array.from({ length: cutsEach }, () => cuts(choose, stream.length, cutsMax))
        return { stream, ways, limit: choose(2) === 0 ? 1_000 : 5 }
      },
      ({ stream, ways, limit }) => {
        const bytes = Buffer.from(stream, 'latin1')
        const whole = eventsOf(bytes, [], limit)
        for (const places of ways) assert.ok(areAlike(eventsOf(bytes, places, limit), whole))
      },
    )
  })

  it('gives back every payload that was framed, with noise around it', () => {
    const text = (choose: Choose, units: readonly string[], max: number) =>
      Array.from({ length: choose(max + 1) }, () => oneOf(choose, units)).join('')
    tryCases(
      casesOf({ daily: 5_000, long: 500_000 }),
      (choose) =>
        Array.from({ length: choose(11) }, () => ({
          noise: text(choose, ['x', '\r', FS], 5),
          payload: text(choose, ['M', '|', '\r', 'é', ' '], 30),
        })),
      (parts) => {
        const stream = Buffer.concat(
          parts.flatMap(({ noise, payload }) => [Buffer.from(noise), frame(Buffer.from(payload, 'latin1'))]),
        )
        const frames = new Framer().push(stream).filter(({ kind }) => kind === 'frame')
        assert.deepEqual(
          frames.map(show),
          parts.map(({ payload }) => payload),
        )
      },
    )
  })
})

const areAlike = (events: readonly FrameEvent[], others: readonly FrameEvent[]) =>
  events.length === others.length && events.every((event, index) => isAlike(event, others[index]))

/** Where the limit is passed depends on the cuts, and so does what is known then; nothing else does. */
function isAlike(event: FrameEvent, other: FrameEvent | undefined): boolean {
  if (event.kind === 'frame') return other?.kind === 'frame' && event.bytes.equals(other.bytes)
  if (event.kind === 'oversize' || other?.kind === 'frame') return event.kind === other?.kind
  return event.kind === other?.kind && event.length === other.length && event.head.equals(other.head)
}
