import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** Stands before PostgreSQL as a pooler does that was told to ignore what it does not know: sessions are told nothing. */
export class DroppingPooler implements AsyncDisposable {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor({ hostname: host, port }: URL) {
    this.#server = createServer((client) => {
      const upstream = connect({ host, port: Number(port) })
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket)
        socket.on('error', () => {})
        socket.once('close', () => this.#sockets.delete(socket))
      }
      upstream.pipe(client)
      // Its first message is small, alone and comes at once: nothing is sent behind it before it was answered.
      client.once('data', (first: Buffer) => {
        upstream.write(withoutOptions(first))
        client.pipe(upstream)
      })
    })
  }

  static async before(address: string): Promise<DroppingPooler> {
    const pooler = new DroppingPooler(new URL(address))
    pooler.#server.listen(0, '127.0.0.1')
    await once(pooler.#server, 'listening')
    return pooler
  }

  /** The same database, by way of this. */
  urlOf(address: string): string {
    const url = new URL(address)
    // Sound: it listens on a TCP port, so its address is one.
    url.port = String((this.#server.address() as AddressInfo).port)
    return url.href
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }
}

/** A length, the protocol, and then names and values, each ended by a zero. */
function withoutOptions(startup: Buffer): Buffer {
  const words = startup.subarray(8).toString().split('\0')
  const at = words.indexOf('options')
  const body = Buffer.from(words.toSpliced(at, at < 0 ? 0 : 2).join('\0'))
  const head = Buffer.from(startup.subarray(0, 8))
  head.writeInt32BE(head.length + body.length)
  return Buffer.concat([head, body])
}
