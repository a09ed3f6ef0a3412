const largeBytes = 4_096
/** A byte order mark and two letters of two bytes. */
const leadBytes = 6
const blockBytesMin = 512
const blockBytesMax = 65_536
/** How much of what is not delivered is kept for the operator and for the answer. */
export const headBytesMax = 4_096

/**
 * The pieces of one frame. Large pieces are kept as they came; small ones are gathered in blocks, because a sender that
 * writes byte by byte would otherwise cost a hundred times its bytes in objects. Joined once, at the end.
 */
export class Payload {
  length = 0
  copiedBytes = 0
  /** How it begins and ends: enough to tell whether its letters have two bytes, and whether a line has ended. */
  readonly lead: number[] = []
  tail: readonly [number, number, number, number] = [0, 0, 0, 0]
  #pieces: Buffer[] = []
  #block: Buffer | undefined
  #used = 0

  add(piece: Buffer): void {
    const isFirst = this.length === 0
    this.length += piece.length
    for (let at = 0; this.lead.length < leadBytes && at < piece.length; at++) this.lead.push(piece[at] ?? 0)
    this.#noteTail(piece)
    if (isFirst || piece.length >= largeBytes) {
      this.#seal()
      this.#pieces.push(piece)
      return
    }
    if (this.#block === undefined || this.#block.length - this.#used < piece.length) {
      const size = Math.min(Math.max(blockBytesMin, this.length), blockBytesMax)
      this.#seal()
      this.#block = Buffer.allocUnsafeSlow(size)
    }
    piece.copy(this.#block, this.#used)
    this.#used += piece.length
    this.copiedBytes += piece.length
  }

  /** The whole payload. One that came in one piece is not copied. */
  take(): Buffer {
    this.#seal()
    const [only, ...others] = this.#pieces
    if (only !== undefined && others.length === 0) return only
    this.copiedBytes += this.length
    return Buffer.concat(this.#pieces, this.length)
  }

  summary(): { length: number; head: Buffer } {
    this.#seal()
    const head: Buffer[] = []
    let missing = headBytesMax
    for (const piece of this.#pieces) {
      if (missing <= 0) break
      head.push(piece.subarray(0, missing))
      missing -= piece.length
    }
    return { length: this.length, head: Buffer.concat(head) }
  }

  #noteTail(piece: Buffer): void {
    const known = this.tail
    const at = (place: number) => piece[piece.length - 4 + place] ?? known[piece.length + place] ?? 0
    this.tail = [at(0), at(1), at(2), at(3)]
  }

  #seal(): void {
    if (this.#block !== undefined && this.#used > 0) this.#pieces.push(this.#block.subarray(0, this.#used))
    this.#block = undefined
    this.#used = 0
  }
}
