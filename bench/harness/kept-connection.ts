import { connect, type Socket } from 'node:net'
import { unavailable } from '../../packages/faults/fault.ts'

/**
 * A kept connection that sends one request after the other, as text. On two cores whatever the load costs is taken from
 * the server: `fetch` costs more than an RS256 signature, autocannon as much as the whole answer to a small request. So
 * it reads into memory of its own, past Node's streams, and looks for no more than the status and the length.
 */
export class KeptConnection {
  readonly #socket: Socket
  /** Each byte a character. */
  #received = ''
  #waiting: PromiseWithResolvers<string> | undefined

  constructor(url: string) {
    const { hostname, port } = new URL(url)
    const buffer = Buffer.allocUnsafe(readBytesMax)
    const callback = (length: number) => this.#take(buffer.toString('latin1', 0, length))
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true, onread: { buffer, callback } })
    this.#socket.on('error', (error) => this.#waiting?.reject(error))
    this.#socket.on('close', () => this.#waiting?.reject(unavailable('The server closed the connection.')))
  }

  /** The body of the answer, which must be a success, in ASCII and of a length that was said before. */
  ask(request: string): Promise<string> {
    this.#waiting = Promise.withResolvers()
    this.#socket.write(request, 'latin1')
    return this.#waiting.promise
  }

  close(): void {
    this.#socket.destroy()
  }

  /** True: it may be read on. */
  #take(text: string): true {
    this.#received += text
    const received = this.#received
    const headEnd = received.indexOf('\r\n\r\n')
    if (headEnd < 0) return true
    const lengthAt = received.indexOf(lengthName) + lengthName.length
    const end = headEnd + 4 + Number(received.slice(lengthAt, received.indexOf('\r', lengthAt)))
    if (received.length < end) return true
    const body = received.slice(headEnd + 4, end)
    this.#received = received.slice(end)
    if (received.startsWith('HTTP/1.1 200 ')) this.#waiting?.resolve(body)
    else this.#waiting?.reject(unavailable(`${received.slice(0, received.indexOf('\r'))}: ${body}`))
    return true
  }
}

/** No answer that is asked for here is longer. */
const readBytesMax = 65_536
const lengthName = 'content-length: '

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
