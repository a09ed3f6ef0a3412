import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

const endBlock = 0x1c

/** A connection with one frame of 1 KiB under way at a time. */
export class EchoConnection {
  readonly #socket: Socket
  #answered: () => void = () => {}

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (bytes: Buffer) => {
      if (bytes.includes(endBlock)) this.#answered()
    })
  }

  static async open(port: number): Promise<EchoConnection> {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    await once(socket, 'connect')
    return new EchoConnection(socket)
  }

  roundTrip(): Promise<void> {
    return new Promise((resolve) => {
      this.#answered = resolve
      this.#socket.write(frame)
    })
  }

  close(): void {
    this.#socket.destroy()
  }
}

const frame = Buffer.from(`\u000b${'x'.repeat(1_024)}\u001c\r`)
