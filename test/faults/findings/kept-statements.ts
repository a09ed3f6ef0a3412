import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** Stands before PostgreSQL, passes everything through, and remembers the statements whose plans a session keeps. */
export class KeptStatements implements AsyncDisposable {
  /** By their names. */
  readonly texts = new Map<string, string>()
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
      const session = new ClientMessages((name, text) => this.texts.set(name, text))
      client.on('data', (chunk: Buffer) => session.read(chunk))
      client.pipe(upstream).pipe(client)
    })
  }

  static async before(address: string): Promise<KeptStatements> {
    const link = new KeptStatements(new URL(address))
    link.#server.listen(0, '127.0.0.1')
    await once(link.#server, 'listening')
    return link
  }

  /** The same database, by way of this link. */
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

/** What a client says to PostgreSQL: a length and its parameters first, then messages of a letter, a length and a body. */
class ClientMessages {
  readonly #onStatement: (name: string, text: string) => void
  #unread: Buffer = Buffer.alloc(0)
  #keepsPlans: boolean | undefined

  constructor(onStatement: (name: string, text: string) => void) {
    this.#onStatement = onStatement
  }

  read(chunk: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, chunk])
    for (;;) {
      const letters = this.#keepsPlans === undefined ? 0 : 1
      if (this.#unread.length < letters + 4) return
      const end = letters + this.#unread.readUInt32BE(letters)
      if (this.#unread.length < end) return
      this.#take(this.#unread.subarray(0, letters).toString(), this.#unread.subarray(letters + 4, end).toString())
      this.#unread = this.#unread.subarray(end)
    }
  }

  #take(letter: string, body: string): void {
    if (this.#keepsPlans === undefined) this.#keepsPlans = body.includes('plan_cache_mode=force_generic_plan')
    if (letter !== 'P' || !this.#keepsPlans) return
    const [name = '', text = ''] = body.split('\0')
    if (name !== '') this.#onStatement(name, text)
  }
}
