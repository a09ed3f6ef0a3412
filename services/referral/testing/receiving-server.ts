import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Somebody else's server: takes whatever it is sent and remembers it. It can be told to refuse. */
export class ReceivingServer implements AsyncDisposable {
  readonly received: Received[] = []
  /** What it answers. */
  httpStatus = 200
  readonly #server: Server

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { method = '', url = '', headers } = request
        const body = Buffer.concat(chunks).toString()
        this.received.push({ method, path: url, headers, body })
        // A FHIR store is asked what it can do before it is told of decisions about consent: this one does not say.
        if (body === '') return response.writeHead(404).end()
        // What was sent, with an id: what a FHIR server answers, and nothing that others mind.
        const stored = { id: 'given-here', ...(JSON.parse(body) as object) }
        return response.writeHead(this.httpStatus, { 'content-type': 'application/json' }).end(JSON.stringify(stored))
      })
    })
  }

  static async start(): Promise<ReceivingServer> {
    const server = new ReceivingServer()
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve))
    return server
  }

  get url(): string {
    // Sound: it listens on a TCP port.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  at(path: string): readonly Received[] {
    return this.received.filter((one) => one.path === path)
  }

  /** The last resource that was put under this address, as a FHIR server would have it now. */
  resource(path: string): Readonly<Record<string, unknown>> | undefined {
    const last = this.received.findLast((one) => one.method === 'PUT' && one.path === path)
    return last === undefined ? undefined : (JSON.parse(last.body) as Record<string, unknown>)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
