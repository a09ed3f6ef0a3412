/** Writes the data of a QR code bit by bit into a fixed number of bytes. */
export class BitWriter {
  readonly #bytes: Uint8Array
  #length = 0

  constructor(bytes: number) {
    this.#bytes = new Uint8Array(bytes)
  }

  /** The lowest `count` bits, the highest of them first. What is too much only counts. */
  write(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit--, this.#length++) {
      const at = this.#length >> 3
      if (((value >> bit) & 1) === 1) this.#bytes[at] = (this.#bytes[at] ?? 0) | (0x80 >> (this.#length & 7))
    }
  }

  /** The bytes with terminator and padding (ISO/IEC 18004 section 7.4.9), or undefined when it was too much. */
  finish(): Uint8Array | undefined {
    const capacity = this.#bytes.length * 8
    if (this.#length > capacity) return undefined
    this.#length = Math.min(capacity, this.#length + 4)
    const from = Math.ceil(this.#length / 8)
    for (let at = from; at < this.#bytes.length; at++) this.#bytes[at] = (at - from) % 2 === 0 ? 0xec : 0x11
    return this.#bytes
  }
}
