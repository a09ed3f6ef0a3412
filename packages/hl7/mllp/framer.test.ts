import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom, type Random } from '../../clock/ids.ts'
import { isLongRun } from '../../testkit/long-run.ts'
import { runs } from '../../testkit/runs.ts'
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

describe('any stream', { timeout: isLongRun ? 1_800_000 : 120_000 }, () => {
  const signs = fc.constantFrom(VT, FS, '\r', '\n', 'a', 'b', framed('MSH|1'))
  const streams = fc.array(signs, { maxLength: 40 }).map((pieces) => pieces.join(''))
  const [streamCount, cutsEach] = isLongRun ? [40_000, 100] : [10_000, 20]

  /** Up to a dozen cuts, most of them near the beginning, where short frames are. */
  function cut(stream: string, random: Random): string[] {
    const places = Array.from({ length: random.below(13) }, () => random.below(Math.min(60, stream.length + 1)))
    const ends = [...places.sort((a, b) => a - b), stream.length]
    return ends.map((end, index) => stream.slice(ends[index - 1] ?? 0, end))
  }

  it(`gives the same events however it is cut: ${streamCount} streams, each in ${cutsEach} ways`, () => {
    fc.assert(
      fc.property(streams, fc.integer(), fc.constantFrom(5, 1_000), (stream, seed, limit) => {
        const random = seededRandom(seed)
        const kinds = (events: readonly string[]) => events.join('\0').replaceAll(/oversize \d+/g, 'oversize')
        const whole = kinds(run([stream], limit))
        for (let way = 0; way < cutsEach; way++) assert.equal(kinds(run(cut(stream, random), limit)), whole)
      }),
      { numRuns: streamCount },
    )
  })

  it('gives back every payload that was framed, with noise around it', () => {
    const payload = fc.string({ unit: fc.constantFrom('M', '|', '\r', 'é', ' '), maxLength: 30 })
    const noise = fc.string({ unit: fc.constantFrom('x', '\r', FS), maxLength: 5 })
    fc.assert(
      fc.property(fc.array(fc.tuple(noise, payload)), (parts) => {
        const framer = new Framer()
        const stream = Buffer.concat(
          parts.flatMap(([before, text]) => [Buffer.from(before), frame(Buffer.from(text, 'latin1'))]),
        )
        const frames = framer.push(stream).filter((event) => event.kind === 'frame')
        assert.deepEqual(
          frames.map(show),
          parts.map(([, text]) => text),
        )
      }),
      runs(5_000),
    )
  })
})
