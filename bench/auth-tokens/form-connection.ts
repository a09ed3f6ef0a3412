import { connect, type Socket } from 'node:net'
import { unavailable } from '../../packages/faults/fault.ts'

/**
 * A kept connection that posts one form after the other. On two cores whatever the load costs is taken from the server,
 * and `fetch` costs more than an RS256 signature.
 */
export class FormConnection {
  readonly #url: URL
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #waiting: PromiseWithResolvers<string> | undefined

  constructor(url: string) {
    this.#url = new URL(url)
    this.#socket = connect({ host: this.#url.hostname, port: Number(this.#url.port), noDelay: true })
    this.#socket.on('data', (bytes: Buffer) => this.#take(bytes))
    this.#socket.on('error', (error) => this.#waiting?.reject(error))
    this.#socket.on('close', () => this.#waiting?.reject(unavailable('The server closed the connection.')))
  }

  /** The body of the answer, which must be a success. */
  post(path: string, fields: Readonly<Record<string, string>>): Promise<string> {
    const body = new URLSearchParams(fields).toString()
    this.#waiting = Promise.withResolvers()
    this.#socket.write(
      `POST ${path} HTTP/1.1\r\nhost: ${this.#url.host}\r\ncontent-type: application/x-www-form-urlencoded\r\n` +
        `content-length: ${body.length}\r\n\r\n${body}`,
    )
    return this.#waiting.promise
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(bytes: Buffer): void {
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes])
    const headEnd = this.#received.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const head = this.#received.toString('latin1', 0, headEnd)
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1])
    const end = headEnd + 4 + length
    if (this.#received.length < end) return
    const body = this.#received.toString('utf8', headEnd + 4, end)
    this.#received = this.#received.subarray(end)
    if (head.startsWith('HTTP/1.1 200 ')) this.#waiting?.resolve(body)
    else this.#waiting?.reject(unavailable(`${head.split('\r\n', 1)[0]}: ${body}`))
  }
}
