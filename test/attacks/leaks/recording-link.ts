import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** Stands before a service, passes everything through and remembers the request lines: what a proxy would log. */
export class RecordingLink implements AsyncDisposable {
  readonly requestLines: string[] = []
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(port: number) {
    this.#server = createServer((client) => {
      const upstream = connect({ host: '127.0.0.1', port })
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket)
        socket.on('error', () => {})
        socket.once('close', () => this.#sockets.delete(socket))
      }
      client.on('data', (chunk: Buffer) => {
        const lines = chunk.toString('latin1').match(/^(GET|POST|PUT|PATCH|DELETE) \S+ HTTP\/1\.1/gm) ?? []
        this.requestLines.push(...lines)
      })
      client.pipe(upstream).pipe(client)
    })
  }

  static async before(port: number): Promise<RecordingLink> {
    const link = new RecordingLink(port)
    link.#server.listen(0, '127.0.0.1')
    await once(link.#server, 'listening')
    return link
  }

  get port(): number {
    // Sound: it listens on a TCP port, so its address is one.
    return (this.#server.address() as AddressInfo).port
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }
}
