import type { Socket } from 'node:net'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import type { Clock } from '../../../packages/clock/clock.ts'
import { faultOf, unavailable } from '../../../packages/faults/fault.ts'
import type { Certificate } from '../../../packages/keys/certificate.ts'
import { tlsFloor } from '../../../packages/keys/tls-floor.ts'
import type { Log } from '../../../packages/log/log.ts'
import { Batcher } from '../../../packages/sql/batcher.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { SyslogDeframer } from '../../../ports/audit-repository/syslog-deframer.ts'
import { addAuditRecords } from './store/audit-records.ts'

interface ReceiverDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}

/**
 * The audit repository of a demo: a syslog server over TLS that keeps every record in a table. It closes a connection
 * when all that came over it is durable, which is how a sender knows.
 */
export class AuditReceiver {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #records: Batcher<string, undefined>
  readonly #deps: ReceiverDeps

  private constructor({ cert, key }: Certificate, deps: ReceiverDeps) {
    this.#deps = deps
    // One writer: the records are a chain.
    this.#records = new Batcher({
      writers: 1,
      batchMax: 500,
      write: async (records) => {
        await addAuditRecords(records, deps.clock.now(), deps.database)
        return records.map(() => undefined)
      },
    })
    this.#server = createServer({ cert, key, ...tlsFloor, handshakeTimeout: 10_000 })
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    this.#server.on('secureConnection', (socket) => void this.#take(socket))
    this.#server.on('tlsClientError', (error: Error) =>
      deps.log.warn('audit connection failed', { error: error.message }),
    )
  }

  /** Port 0 takes any free one; so does one that is taken, because its own bridge is told which it became. */
  static async start(port: number, certificate: Certificate, deps: ReceiverDeps): Promise<AuditReceiver> {
    try {
      const receiver = new AuditReceiver(certificate, deps)
      await receiver.#listen(port)
      return receiver
    } catch (thrown) {
      if (port === 0) throw thrown
      deps.log.warn('audit receiver port is taken, another one is used', { port })
      return AuditReceiver.start(0, certificate, deps)
    }
  }

  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    for (const socket of this.#sockets) socket.destroy()
    await closed
    await this.#records.close()
  }

  #listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (cause: Error) =>
        reject(unavailable(`Port ${port} cannot be listened on: ${cause.message}.`, { code: 'AUDIT_PORT', cause }))
      this.#server.once('error', fail)
      this.#server.listen(port, '127.0.0.1', () => {
        this.#server.removeListener('error', fail)
        resolve()
      })
    })
  }

  async #take(socket: TLSSocket): Promise<void> {
    // A sender ends its side and waits for us to end ours. Not before here: an end within a handshake is the end.
    socket.allowHalfOpen = true
    socket.setTimeout(60_000, () => socket.destroy())
    const deframer = new SyslogDeframer({ messageBytesMax: 1_048_576 })
    const kept: Promise<undefined>[] = []
    try {
      for await (const chunk of socket) {
        // Sound: no encoding was set, so a socket gives buffers.
        kept.push(...deframer.push(chunk as Buffer).map((record) => this.#keep(record, socket)))
      }
      await Promise.all(kept)
      if (deframer.isBetweenFrames) socket.end()
      else socket.destroy()
    } catch (thrown) {
      await Promise.allSettled(kept)
      const { kind, message, logged } = faultOf(thrown)
      this.#deps.log.warn('audit records not taken', { faultKind: kind, error: logged ?? message })
      socket.destroy()
    }
  }

  /** One that cannot be kept ends its connection there and then, however much the sender has still to say. */
  #keep(record: string, socket: TLSSocket): Promise<undefined> {
    const isKept = this.#records.submit(record)
    isKept.catch((thrown: unknown) => socket.destroy(faultOf(thrown)))
    return isKept
  }
}
