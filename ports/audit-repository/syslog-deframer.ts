import { incorrect } from '../../packages/faults/fault.ts'

/** Takes the frames of RFC 5425 out of a stream, however it is cut. Throws when it cannot be one. */
export class SyslogDeframer {
  readonly #messageBytesMax: number
  #chunks: Buffer[] = []
  #bytes = 0
  #wanted: number | undefined

  constructor({ messageBytesMax }: { readonly messageBytesMax: number }) {
    this.#messageBytesMax = messageBytesMax
  }

  push(chunk: Buffer): string[] {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    const messages: string[] = []
    for (let message = this.#next(); message !== undefined; message = this.#next()) messages.push(message)
    return messages
  }

  /** Whether the stream may end here. */
  get isBetweenFrames(): boolean {
    return this.#bytes === 0 && this.#wanted === undefined
  }

  #next(): string | undefined {
    this.#wanted ??= this.#readLength()
    if (this.#wanted === undefined || this.#bytes < this.#wanted) return undefined
    const all = this.#joined()
    const message = all.subarray(0, this.#wanted).toString()
    this.#keep(all.subarray(this.#wanted))
    this.#wanted = undefined
    return message
  }

  #readLength(): number | undefined {
    if (this.#bytes === 0) return undefined
    const all = this.#joined()
    const space = all.indexOf(0x20)
    if (space === -1) {
      if (all.length > digitsMax || !/^\d*$/.test(all.toString('latin1'))) throw notFramed()
      return undefined
    }
    const digits = all.subarray(0, Math.min(space, digitsMax + 1)).toString('latin1')
    if (!/^[1-9]\d*$/.test(digits) || Number(digits) > this.#messageBytesMax) throw notFramed()
    this.#keep(all.subarray(space + 1))
    return Number(digits)
  }

  #joined(): Buffer {
    const all = this.#chunks.length === 1 ? (this.#chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#chunks)
    this.#chunks = [all]
    return all
  }

  #keep(rest: Buffer): void {
    this.#chunks = rest.length === 0 ? [] : [rest]
    this.#bytes = rest.length
  }
}

const digitsMax = 8
const notFramed = () => incorrect('The bytes are not syslog messages with their lengths (RFC 5425).')
