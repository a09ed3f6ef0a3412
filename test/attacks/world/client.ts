import { Agent, request as httpRequest } from 'node:http'

export interface Sent {
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** A list writes the header that many times. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Uint8Array
}

export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** A client without manners: it sends every header it is told to, follows nothing and keeps no cookies. */
export class Client implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 })

  send(origin: string, { method, path, headers = {}, body }: Sent): Promise<Answered> {
    const { hostname, port } = new URL(origin)
    const hasLength = body !== undefined && headers['transfer-encoding'] === undefined
    const length = hasLength ? { 'content-length': String(Buffer.byteLength(body)) } : {}
    return new Promise((resolve, reject) => {
      const request = httpRequest({
        ...{ agent: this.#agent, hostname, port, method, path },
        // The list of pairs is the only way to write one header twice.
        headers: rawHeaders({ host: `${hostname}:${port}`, ...length, ...headers }),
      })
      request.once('error', reject)
      request.once('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('error', reject)
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
        })
      })
      request.end(body)
    })
  }

  [Symbol.dispose](): void {
    this.#agent.destroy()
  }
}

function rawHeaders(headers: Readonly<Record<string, string | readonly string[]>>): string[] {
  return Object.entries(headers).flatMap(([name, values]) => [values].flat().flatMap((value) => [name, value]))
}
