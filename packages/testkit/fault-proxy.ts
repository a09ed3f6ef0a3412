import { once } from 'node:events'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { systemClock, type Clock } from '../clock/clock.ts'
import { FaultLink, type FaultCounts } from './fault-link.ts'
import { pass, type FaultMode } from './fault-modes.ts'
import { freePort } from './free-port.ts'

interface FaultProxyOptions {
  /** The dependency that the proxy stands in front of. */
  readonly host?: string
  readonly port: number
  readonly clock?: Clock
}

/** Starts a proxy on a port of its own that lets everything pass until it is told otherwise. */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { host = '127.0.0.1', port, clock = systemClock } = options
  const proxy = new FaultProxy({ host, port }, await freePort(), clock)
  await proxy.set(pass)
  return proxy
}

export class FaultProxy implements AsyncDisposable {
  readonly host = '127.0.0.1'
  /** Kept for the proxy's life, also while connections are refused. */
  readonly port: number
  readonly counts: FaultCounts = { accepted: 0, cut: 0, requestBytes: 0, answerBytes: 0, lostBytes: 0, answered: 0 }
  readonly #upstream: { readonly host: string; readonly port: number }
  readonly #clock: Clock
  readonly #links = new Set<FaultLink>()
  readonly #answering = createHttpServer((request, response) => {
    request.resume().on('end', () => this.#answer(response))
  })
  #mode: FaultMode = pass
  #modeEnds = new AbortController()
  #listener: Server | undefined

  constructor(upstream: { readonly host: string; readonly port: number }, port: number, clock: Clock) {
    this.#upstream = upstream
    this.port = port
    this.#clock = clock
  }

  get mode(): FaultMode {
    return this.#mode
  }

  /** Open connections of clients. */
  get connections(): number {
    return this.#links.size
  }

  get url(): string {
    return `http://${this.host}:${this.port}`
  }

  /**
   * From here on connections are treated in this way, open ones included. One that has lost bytes never comes back to
   * life: it stays silent until the client gives it up.
   */
  async set(mode: FaultMode): Promise<void> {
    this.#mode = mode
    this.#modeEnds.abort()
    this.#modeEnds = new AbortController()
    if (mode.kind === 'refuse') await this.#closeListener()
    else await this.#openListener()
    for (const link of this.#links) link.enter(mode)
  }

  async close(): Promise<void> {
    this.#modeEnds.abort()
    for (const link of this.#links) link.cut()
    await this.#closeListener()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #openListener(): Promise<void> {
    if (this.#listener !== undefined) return
    this.#listener = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.#accept(client))
    this.#listener.listen({ host: this.host, port: this.port, exclusive: true })
    await once(this.#listener, 'listening')
  }

  async #closeListener(): Promise<void> {
    const listener = this.#listener
    this.#listener = undefined
    if (listener === undefined) return
    for (const link of this.#links) link.cut()
    await new Promise<void>((resolve) => listener.close(() => resolve()))
  }

  #answer(response: ServerResponse): void {
    const mode = this.#mode
    if (mode.kind === 'http') {
      this.counts.answered++
      response.writeHead(mode.httpStatus, { 'content-type': mode.contentType, connection: 'close' }).end(mode.body)
    } else {
      response.destroy()
    }
  }

  #accept(client: Socket): void {
    this.counts.accepted++
    const link = new FaultLink(client, {
      upstream: this.#upstream,
      counts: this.counts,
      answering: this.#answering,
      clock: this.#clock,
      mode: () => this.#mode,
      modeEnds: () => this.#modeEnds.signal,
    })
    this.#links.add(link)
    client.once('close', () => this.#links.delete(link))
    link.enter(this.#mode)
  }
}
