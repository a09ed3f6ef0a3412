import { carriageReturn, isLineEnd, lineFeed } from '../line-end.ts'
import { headBytesMax, Payload } from './payload.ts'

export const startBlock = 0x0b
export const endBlock = 0x1c

export type FrameEvent =
  | { readonly kind: 'frame'; readonly bytes: Buffer }
  /** Bytes outside any frame, reported when the next frame begins or the stream ends. */
  | { readonly kind: 'noise'; readonly length: number; readonly head: Buffer }
  /** A frame began before the last one had ended; the last one was not delivered. */
  | { readonly kind: 'resync'; readonly length: number; readonly head: Buffer }
  /** A frame grew past the limit; the rest of it is skipped. */
  | { readonly kind: 'oversize'; readonly length: number; readonly head: Buffer }
  /** The stream ended inside a frame. */
  | { readonly kind: 'cut'; readonly length: number; readonly head: Buffer }

export interface FramerOptions {
  readonly frameBytesMax?: number
}

export const frameBytesMaxDefault = 16 * 1024 * 1024

/**
 * Finds MLLP frames in a stream, however it is cut. VT always begins a frame and FS always ends one: neither may occur
 * in HL7 text, and waiting for the CR after FS would leave senders without it unanswered. But in UTF-16 many a letter has
 * one of them for a byte (М is 1C 04, ज 1C 09), and the frame would end within a name (`#addHalf`). Each byte is looked at once
 * for each of the two signs and copied at most twice, so that the cost grows with the bytes and with nothing else.
 */
export class Framer {
  readonly #frameBytesMax: number
  /** Outside a frame, inside one, or skipping the rest of one that is too large. */
  #state: 'outside' | 'inside' | 'skipping' = 'outside'
  #payload = new Payload()
  #noise: { length: number; head: Buffer } = none
  /** How much of FS CR LF has come of which the next byte says whether it is the end or letters. */
  #held = 0
  /** Bytes examined and copied so far: what the framer costs. */
  readonly work = { scannedBytes: 0, copiedBytes: 0 }

  constructor({ frameBytesMax = frameBytesMaxDefault }: FramerOptions = {}) {
    this.#frameBytesMax = frameBytesMax
  }

  /** True from VT to FS. */
  get isInFrame(): boolean {
    return this.#state !== 'outside'
  }

  /** How much has come of the frame that has not ended. */
  get frameBytes(): number {
    return this.#payload.length
  }

  /** FS has come, CR and LF may have: in UTF-16 they are the end if nothing follows, or a new frame. */
  get heldBytes(): number {
    return this.#held
  }

  get hasNoise(): boolean {
    return this.#noise.length > 0
  }

  /** How the noise began that was not reported yet. */
  get noiseHead(): Buffer {
    return this.#noise.head
  }

  push(chunk: Buffer): FrameEvent[] {
    const events: FrameEvent[] = []
    let [at, start, end] = [0, -1, -1]
    while (at < chunk.length) {
      if (start < at) start = this.#next(startBlock, chunk, at)
      if (this.#state === 'outside') {
        this.#addNoise(chunk, at, start)
        if (start < chunk.length) this.#begin(events)
        at = start + 1
        continue
      }
      if (this.#held > 0) {
        if (this.#settleHeld(chunk[at] ?? 0, events)) at++
        continue
      }
      if (end < at) end = this.#next(endBlock, chunk, at)
      const stop = Math.min(start, end)
      if (at < stop) this.#addPayload(chunk.subarray(at, stop), events)
      const order = stop < chunk.length && this.#state === 'inside' ? byteOrderOf(this.#payload) : undefined
      if (order !== undefined) this.#addHalf(chunk.subarray(stop, stop + 1), order, events)
      else if (end < start) this.#deliver(events)
      else if (start < end) this.#restart(events)
      at = stop + 1
    }
    return events
  }

  /** Nothing has followed what is held: it was the end. */
  takeHeld(): FrameEvent[] {
    const events: FrameEvent[] = []
    if (this.#held > 0) this.#deliver(events)
    return events
  }

  /** Reports the noise so far, for a stream in which no frame begins. */
  takeNoise(): FrameEvent[] {
    const events: FrameEvent[] = []
    this.#reportNoise(events)
    return events
  }

  /** The stream ended: what is left is reported. */
  end(): FrameEvent[] {
    const events: FrameEvent[] = []
    this.#reportNoise(events)
    if (this.#held > 0) this.#deliver(events)
    else if (this.#state === 'inside') events.push({ kind: 'cut', ...this.#payload.summary() })
    this.#reset()
    return events
  }

  /** In UTF-16 a sign is half a letter, unless it is an FS behind whole letters that end a segment, or that a CR follows. */
  #addHalf(sign: Buffer, order: ByteOrder, events: FrameEvent[]): void {
    const isBetweenLetters = this.#payload.length % 2 === 0
    if (sign[0] !== endBlock || !isBetweenLetters) return this.#addPayload(sign, events)
    if (endsSegment(this.#payload, order)) return this.#deliver(events)
    this.#held = 1
  }

  /**
   * True when the byte belongs to what is held. In the lower order FS CR is ജ as well, and FS CR LF the beginning of two
   * letters: whatever follows but a new frame says so.
   */
  #settleHeld(byte: number, events: FrameEvent[]): boolean {
    if (this.#held < endBlocks.length && byte === endBlocks[this.#held]) {
      this.#held++
      if (byteOrderOf(this.#payload) === 'big') this.#deliver(events)
      return true
    }
    if (this.#held > 1 && byte === startBlock) {
      this.#deliver(events)
      return false
    }
    const letters = endBlocks.subarray(0, this.#held)
    this.#held = 0
    this.#addPayload(letters, events)
    return false
  }

  #begin(events: FrameEvent[]): void {
    this.#reportNoise(events)
    this.#state = 'inside'
  }

  #deliver(events: FrameEvent[]): void {
    if (this.#state === 'inside') {
      const bytes = this.#payload.take()
      this.work.copiedBytes += this.#payload.copiedBytes
      events.push({ kind: 'frame', bytes })
    }
    this.#reset()
  }

  #restart(events: FrameEvent[]): void {
    // VT VT MSH: nothing was lost between two start blocks.
    if (this.#state === 'inside' && this.#payload.length > 0)
      events.push({ kind: 'resync', ...this.#payload.summary() })
    this.#reset()
    this.#state = 'inside'
  }

  #addPayload(piece: Buffer, events: FrameEvent[]): void {
    if (this.#state === 'skipping') return
    this.#payload.add(piece)
    if (this.#payload.length <= this.#frameBytesMax) return
    events.push({ kind: 'oversize', ...this.#payload.summary() })
    this.#reset()
    this.#state = 'skipping'
  }

  #addNoise(chunk: Buffer, from: number, to: number): void {
    this.work.scannedBytes += to - from
    let at = from
    while (at < to && isLineEnd(chunk[at] ?? 0)) at++
    // What stands between two frames is mostly the end of a line, which is no noise.
    if (at === to) return
    const { head, length } = this.#noise
    const more = Buffer.allocUnsafe(Math.min(to - at, headBytesMax - head.length))
    let [found, kept] = [0, 0]
    for (; at < to; at++) {
      const byte = chunk[at] ?? 0
      if (isLineEnd(byte)) continue
      found++
      if (kept < more.length) more[kept++] = byte
    }
    this.#noise = { length: length + found, head: joined(head, more.subarray(0, kept)) }
  }

  #reportNoise(events: FrameEvent[]): void {
    const { length, head } = this.#noise
    if (length === 0) return
    events.push({ kind: 'noise', length, head })
    this.#noise = none
  }

  #reset(): void {
    this.#state = 'outside'
    this.#held = 0
    if (this.#payload.length > 0) this.#payload = new Payload()
  }

  /** The next place of a sign at or after a position, or the chunk's end; searches every byte of the chunk once. */
  #next(sign: number, chunk: Buffer, from: number): number {
    const at = chunk.indexOf(sign, from)
    const found = at < 0 ? chunk.length : at
    this.work.scannedBytes += found - from
    return found
  }
}

type ByteOrder = 'little' | 'big'

/** Of a message that begins in UTF-16, with or without a byte order mark; undefined of any other. */
function byteOrderOf({ lead }: Payload): ByteOrder | undefined {
  const [first, second] = lead
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  const [a, b, c, d] = hasMark ? lead.slice(2) : lead
  if (b === 0 && d === 0 && isUpperCase(a) && isUpperCase(c)) return 'little'
  return a === 0 && c === 0 && isUpperCase(b) && isUpperCase(d) ? 'big' : undefined
}

/** MSH, FHS, BHS */
const isUpperCase = (byte = 0): boolean => byte >= 0x41 && byte <= 0x5a

/**
 * CR, or CR LF: no letter begins a segment. Behind an LF alone a line of text may go on with М, which is 1C 04 in the lower
 * order; in the other one a letter that begins with 1C is one of Lepcha or Ol Chiki.
 */
function endsSegment({ tail: [a, b, c, d] }: Payload, order: ByteOrder): boolean {
  const [before, last] = order === 'little' ? [(b << 8) | a, (d << 8) | c] : [(a << 8) | b, (c << 8) | d]
  if (last !== lineFeed) return last === carriageReturn
  return order === 'big' || before === carriageReturn
}

const endBlocks = Buffer.from([endBlock, carriageReturn, lineFeed])

const none = { length: 0, head: Buffer.alloc(0) } as const

const joined = (head: Buffer, more: Buffer): Buffer => (head.length === 0 ? more : Buffer.concat([head, more]))

/** A payload in its frame, ready for the wire. */
export function frame(payload: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(payload.length + 3)
  framed[0] = startBlock
  framed.set(payload, 1)
  framed[payload.length + 1] = endBlock
  framed[payload.length + 2] = carriageReturn
  return framed
}
