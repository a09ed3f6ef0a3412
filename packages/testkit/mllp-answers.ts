import { unprocessable, type Fault } from '../faults/fault.ts'

/** The three signs of the Minimal Lower Layer Protocol: a frame is VT, the message, FS, CR. */
const vt = 0x0b
const fs = 0x1c
const cr = 0x0d

export function mllpFrame(message: string | Buffer): Buffer {
  return Buffer.concat([Buffer.of(vt), Buffer.from(message), Buffer.of(fs, cr)])
}

type MllpAnswer = { readonly message: Buffer } | { readonly fault: Fault }

/**
 * Reads the frames of a peer exactly: one byte outside a frame or a frame that does not end in FS CR is a fault. Our
 * own listeners must be lenient with what they read; what they write has no excuse.
 */
export class MllpAnswers {
  #rest: Buffer = Buffer.alloc(0)

  /** The whole answers in what has come so far. */
  take(chunk: Buffer): MllpAnswer[] {
    this.#rest = Buffer.concat([this.#rest, chunk])
    const answers: MllpAnswer[] = []
    for (let answer = this.#next(); answer !== undefined; answer = this.#next()) answers.push(answer)
    return answers
  }

  /** Bytes of an answer that has not ended. */
  get pendingBytes(): number {
    return this.#rest.length
  }

  #next(): MllpAnswer | undefined {
    if (this.#rest.length === 0) return undefined
    if (this.#rest[0] !== vt) {
      const strayEnd = this.#rest.indexOf(vt)
      const stray = this.#cut(strayEnd < 0 ? this.#rest.length : strayEnd)
      return { fault: unprocessable(`${stray.length} bytes came outside a frame, the first is ${hex(stray[0])}`) }
    }
    const end = this.#rest.indexOf(fs)
    if (end < 0 || end + 1 >= this.#rest.length) return undefined
    const message = Buffer.from(this.#rest.subarray(1, end))
    const closing = this.#rest[end + 1]
    this.#cut(closing === cr ? end + 2 : end + 1)
    if (closing !== cr) return { fault: unprocessable(`The frame ends in FS and ${hex(closing)} instead of FS CR`) }
    return { message }
  }

  #cut(bytes: number): Buffer {
    const head = this.#rest.subarray(0, bytes)
    this.#rest = this.#rest.subarray(bytes)
    return head
  }
}

const hex = (byte: number | undefined) => `0x${(byte ?? 0).toString(16).padStart(2, '0')}`
