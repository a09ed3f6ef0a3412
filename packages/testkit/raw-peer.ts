import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { waitFor } from './wait-for.ts'
import { Framer } from '../hl7/mllp/framer.ts'

/** A bare socket for tests: writes any bytes, at any pace, and collects the frames that come back. */
export class RawPeer {
  readonly socket: Socket
  readonly answers: string[] = []
  readonly #framer = new Framer({ frameBytesMax: 1_000_000_000 })

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      for (const event of this.#framer.push(chunk)) {
        if (event.kind === 'frame') this.answers.push(event.bytes.toString('latin1'))
      }
    })
  }

  static async open(port: number): Promise<RawPeer> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    await once(socket, 'connect')
    return new RawPeer(socket)
  }

  /** Each piece goes into the socket as a write of its own, after the one before has left. */
  async write(...pieces: readonly (string | Buffer)[]): Promise<void> {
    for (const piece of pieces) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece
      await new Promise<void>((resolve) => {
        this.socket.write(bytes, () => resolve())
      })
    }
  }

  async answered(count: number): Promise<string[]> {
    await waitFor(() => this.answers.length >= count, { what: `${count} answers`, deadlineMs: 20_000 })
    return this.answers
  }

  async closed(): Promise<void> {
    await waitFor(() => this.socket.destroyed, { what: 'the connection to close' })
  }

  [Symbol.dispose](): void {
    this.socket.destroy()
  }
}
