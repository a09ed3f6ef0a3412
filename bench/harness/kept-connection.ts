import { connect, type Socket } from 'node:net'
import { unavailable } from '../../packages/faults/fault.ts'

/**
 * A kept connection that sends one request after the other, as text. On two cores whatever the load costs is taken from
 * the server: `fetch` costs more than an RS256 signature, autocannon as much as the whole answer to a small request.
 */
export class KeptConnection {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #waiting: PromiseWithResolvers<string> | undefined

  constructor(url: string) {
    const { hostname, port } = new URL(url)
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true })
    this.#socket.on('data', (bytes: Buffer) => this.#take(bytes))
    this.#socket.on('error', (error) => this.#waiting?.reject(error))
    this.#socket.on('close', () => this.#waiting?.reject(unavailable('The server closed the connection.')))
  }

  /** The body of the answer, which must be a success. */
  ask(request: string): Promise<string> {
    this.#waiting = Promise.withResolvers()
    this.#socket.write(request)
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

/** A POST as it goes over the wire, with a form where fields are given. */
export function postRequest(
  path: string,
  options: {
    readonly headers?: Readonly<Record<string, string>>
    readonly form?: Readonly<Record<string, string>>
  } = {},
): string {
  const body = options.form === undefined ? '' : new URLSearchParams(options.form).toString()
  const type = options.form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
  const headers = { host: 'localhost', ...options.headers, ...type, 'content-length': String(body.length) }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
