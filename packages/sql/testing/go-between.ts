import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** What a go-between makes of what passes it; what it has no word for passes as it is. */
interface Alterations {
  /** Of the first message of a client: it is small, alone and comes at once, as nothing is sent before it is answered. */
  readonly startup?: (first: Buffer) => Buffer
  /** Of every piece that the server sends. */
  readonly answer?: (piece: Buffer) => Buffer
}

/** Stands before the real PostgreSQL as a pooler does, and changes a little of what the two say to each other. */
export class GoBetween implements AsyncDisposable {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor({ hostname: host, port }: URL, { startup = asItIs, answer = asItIs }: Alterations) {
    this.#server = createServer((client) => {
      const upstream = connect({ host, port: Number(port) })
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket)
        socket.on('error', () => {})
        socket.once('close', () => this.#sockets.delete(socket))
      }
      upstream.on('data', (piece: Buffer) => client.write(answer(piece))).on('end', () => client.end())
      client.once('data', (first: Buffer) => {
        upstream.write(startup(first))
        client.pipe(upstream)
      })
    })
  }

  static async before(address: string, alterations: Alterations): Promise<GoBetween> {
    const goBetween = new GoBetween(new URL(address), alterations)
    goBetween.#server.listen(0, '127.0.0.1')
    await once(goBetween.#server, 'listening')
    return goBetween
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

const asItIs = (piece: Buffer) => piece
