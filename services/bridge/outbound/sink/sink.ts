import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../../../../packages/clock/clock.ts'
import type { Ids } from '../../../../packages/clock/ids.ts'
import {
  acknowledgementBytes,
  startMllpServer,
  tryParseMessage,
  type MllpServer,
} from '../../../../packages/hl7/index.ts'
import { frameBytesMaxDefault } from '../../../../packages/hl7/mllp/framer.ts'
import type { Log } from '../../../../packages/log/log.ts'
import type { Database } from '../../../../packages/sql/database.ts'
import { sinkHost } from '../../subscriptions/seeded-subscriptions.ts'
import type { SinkDelivery } from '../store/sink-deliveries.ts'
import { KeptDeliveries } from './kept-deliveries.ts'

interface SinkDeps {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/** A document comes in a frame, and leaves with what is known of it. */
const bodyBytesMax = 2 * frameBytesMaxDefault

/** Enough to look at. */
const keptSignsMax = 1_048_576

/** The receivers of a demo: they take everything, answer as a good receiver does, and keep the last of it to look at. */
export class Sink {
  readonly #mllp: MllpServer
  readonly #http: Server
  readonly #kept: KeptDeliveries

  private constructor(mllp: MllpServer, http: Server, kept: KeptDeliveries) {
    this.#mllp = mllp
    this.#http = http
    this.#kept = kept
  }

  static async start(deps: SinkDeps): Promise<Sink> {
    const kept = new KeptDeliveries(deps)
    const keep: Keep = (what) => kept.add({ ...what, id: deps.ids.timeUuid(), receivedAt: deps.clock.now() })
    const mllp = await startMllpServer({ port: 0, onMessage: (bytes) => takeMessage(bytes, keep, deps) }, deps)
    const http = createServer((request, response) => {
      takeRequest(request, keep).then(
        (status) => response.writeHead(status).end(),
        () => response.writeHead(503).end(),
      )
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    return new Sink(mllp, http, kept)
  }

  /** The endpoint with the address at which the receivers listen, where it names them. */
  place(endpoint: string): string {
    const url = new URL(endpoint)
    if (url.hostname !== sinkHost) return endpoint
    return url.protocol === 'mllp:'
      ? `mllp://127.0.0.1:${this.#mllp.port}${url.pathname}`
      : `${this.httpUrl}${url.pathname}`
  }

  get httpUrl(): string {
    // Sound: it listens on a TCP port.
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }

  /** Resolves when everything that was taken can be looked at. */
  drain(): Promise<void> {
    return this.#kept.drain()
  }

  async close(): Promise<void> {
    await this.#mllp.close({ graceMs: 1_000 })
    this.#http.closeAllConnections()
    await new Promise((resolve) => this.#http.close(resolve))
    await this.#kept.drain()
  }
}

type Keep = (what: Pick<SinkDelivery, 'channel' | 'target' | 'deliveryKey' | 'body'>) => void

async function takeMessage(bytes: Uint8Array, keep: Keep, deps: SinkDeps): Promise<Uint8Array | undefined> {
  const { message } = tryParseMessage(bytes)
  if (message === undefined) return undefined
  const type = message.part('MSH-9')
  keep({
    channel: 'message',
    target: [type?.text(1), type?.text(2)].join('^'),
    deliveryKey: message.getText('MSH-10') ?? null,
    body: message.text.replaceAll('\r', '\n'),
  })
  return acknowledgementBytes(message, { code: 'AA' }, deps)
}

async function takeRequest(request: IncomingMessage, keep: Keep): Promise<number> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    // Sound: no encoding was set, so a request gives buffers.
    chunks.push(chunk as Buffer)
    bytes += (chunk as Buffer).length
    if (bytes > bodyBytesMax) return 413
  }
  const target = request.url ?? '/'
  const key = request.headers['idempotency-key']
  keep({
    channel: target === '/sms' ? 'sms' : 'rest-hook',
    target,
    deliveryKey: typeof key === 'string' ? key : null,
    body: Buffer.concat(chunks).toString().slice(0, keptSignsMax),
  })
  return 200
}
