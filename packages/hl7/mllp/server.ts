import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'
import type { Clock } from '../../clock/clock.ts'
import type { Ids } from '../../clock/ids.ts'
import { pause } from '../../clock/pause.ts'
import { unavailable } from '../../faults/fault.ts'
import type { Log } from '../../log/log.ts'
import { allowedSenders, plainAddress } from './allowed-senders.ts'
import type { ConnectionOptions, Peer } from './connection-options.ts'
import { MllpConnection } from './connection.ts'
import { zeroCounters, type MllpCounters } from './counters.ts'
import { failureAnswer, type AnswersWanted } from './failure-answer.ts'
import { frameBytesMaxDefault } from './framer.ts'
import { serverTlsOptions, type ServerTls } from './tls.ts'

export interface MllpServerOptions {
  /** 0 takes any free port. */
  readonly port: number
  readonly host?: string
  /** The answer's bytes, or undefined for no answer. Messages of one connection come one at a time, in order. */
  readonly onMessage: ConnectionOptions['onMessage']
  /** Which answers the sender of a message gets that fails; as MSH-15 and MSH-16 say unless given. */
  readonly answersWanted?: AnswersWanted
  readonly onOversize?: ConnectionOptions['onOversize']
  /** Noise, broken and oversize frames, for the channel's own record. */
  readonly onEvent?: ConnectionOptions['onEvent']
  /** Senders that got no connection, or lost it for what they are; the log has each of them. */
  readonly onRefused?: (refusal: ConnectionRefusal) => void
  readonly tls?: ServerTls
  /** Addresses and networks that may connect; everyone when not given. */
  readonly allowed?: readonly string[]
  readonly connectionsMax?: number
  readonly unansweredMax?: number
  readonly frameBytesMax?: number
  /** From the first byte of a frame to its last; once more for each 256 KiB that have come of it. */
  readonly frameTimeoutMs?: number
  /** Without a message. */
  readonly idleTimeoutMs?: number
  /** For the sender to take an answer. */
  readonly writeTimeoutMs?: number
}

/**
 * From an address that is not allowed, one too many, without the TLS that is asked for; a web browser or the like; silent
 * for long while somebody new needed its place.
 */
export interface ConnectionRefusal {
  readonly reason: 'address' | 'limit' | 'tls' | 'http' | 'silent'
  readonly host: string
}

export interface MllpServerDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/** Listens; resolves when connections are taken. */
export async function startMllpServer(options: MllpServerOptions, deps: MllpServerDeps): Promise<MllpServer> {
  const server = new MllpServer(options, deps)
  await server.listen()
  return server
}

export class MllpServer {
  readonly counters: MllpCounters = zeroCounters()
  readonly #options: MllpServerOptions
  readonly #connectionOptions: ConnectionOptions
  readonly #deps: MllpServerDeps
  readonly #server: Server
  /** By the peer's address and port: under TLS the socket that is admitted is not the one that is read. */
  readonly #connections = new Map<string, MllpConnection>()
  readonly #sockets = new Set<Socket>()
  readonly #stopped = new AbortController()
  readonly #isAllowed: (address: string | undefined) => boolean

  constructor(options: MllpServerOptions, deps: MllpServerDeps) {
    this.#options = options
    this.#deps = deps
    this.#isAllowed = allowedSenders(options.allowed)
    this.#connectionOptions = {
      onMessage: options.onMessage,
      onFailure: (failed) => failureAnswer({ ...failed, wanted: options.answersWanted }, deps),
      onOversize: options.onOversize,
      onEvent: options.onEvent ?? (() => {}),
      onHttp: ({ address }) => options.onRefused?.({ reason: 'http', host: address }),
      frameBytesMax: options.frameBytesMax ?? frameBytesMaxDefault,
      frameTimeoutMs: options.frameTimeoutMs ?? 60_000,
      idleTimeoutMs: options.idleTimeoutMs ?? 3_600_000,
      writeTimeoutMs: options.writeTimeoutMs ?? 30_000,
      unansweredMax: options.unansweredMax ?? 10,
    }
    this.#server = this.#createServer(options.tls)
  }

  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? address.port : this.#options.port
  }

  async listen(): Promise<void> {
    const { port, host = '127.0.0.1' } = this.#options
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (cause) =>
        reject(unavailable(`Port ${port} cannot be listened on: ${cause.message}.`, { code: 'MLLP_PORT', cause })),
      )
      // `::` without `ipv6Only` takes the addresses of IPv4 as well, and is in the way of whoever listens on 0.0.0.0.
      this.#server.listen({ port, host, ipv6Only: host.includes(':') }, resolve)
    })
    this.#server.on('error', (error) => this.#deps.log.error('mllp.listener-failed', { error: error.message }))
    void this.#sweep()
  }

  /** Takes no more connections, lets each one finish the message it is at, and closes them all. */
  async close({ graceMs = 10_000 }: { graceMs?: number } = {}): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve())
    })
    for (const connection of this.#connections.values()) connection.close()
    // A socket that is still shaking hands has no message to finish.
    for (const socket of this.#sockets) if (!this.#connections.has(nameOf(socket))) socket.destroy()
    using deadline = this.#deps.clock.deadline(graceMs)
    deadline.signal.addEventListener('abort', () => {
      for (const socket of this.#sockets) socket.destroy()
    })
    await closed
    this.#stopped.abort()
  }

  #createServer(tls: ServerTls | undefined): Server {
    // After this silence the system asks whether the peer is still there.
    const keepAliveInitialDelay = 30_000
    const take = tls === undefined ? (socket: Socket) => this.#open(socket) : this.#handshakes(tls)
    // With TLS, too, the plain socket comes first; it is counted from there, so that handshakes count.
    return createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay }, (socket) => {
      if (this.#admit(socket)) take(socket)
    })
  }

  /**
   * A server that listens nowhere: who was refused at the door must not fail at the handshake as well. One for each
   * connection, because the socket of a handshake that failed does not know any more whose it was. That is half a
   * millisecond, and a handshake takes longer.
   */
  #handshakes(tls: ServerTls): (socket: Socket) => void {
    const make = () => createTlsServer(serverTlsOptions(tls, handshakeTimeoutMs))
    make() // a certificate that cannot be read is a fault of the start
    return (socket) => {
      const host = hostOf(socket)
      const server = make()
      server.once('secureConnection', (secured) => this.#open(secured))
      server.once('tlsClientError', (error, failed) => {
        this.counters.tlsFailures++
        this.#deps.log.warn('mllp.tls-failed', { host, port: this.port, error: handshakeFailure(error, failed) })
        this.#options.onRefused?.({ reason: 'tls', host })
      })
      server.emit('connection', socket)
    }
  }

  #admit(socket: Socket): boolean {
    const reason = this.#refusalOf(socket)
    if (reason !== undefined) {
      this.counters.connectionsRefused++
      const host = hostOf(socket)
      this.#deps.log.warn('mllp.connection-refused', { host, port: this.port, state: reason })
      this.#options.onRefused?.({ reason, host })
      socket.destroy()
      return false
    }
    this.counters.connectionsAccepted++
    this.#sockets.add(socket)
    this.counters.connectionsOpen = this.#sockets.size
    socket.once('close', () => {
      this.#sockets.delete(socket)
      this.counters.connectionsOpen = this.#sockets.size
    })
    return true
  }

  #refusalOf(socket: Socket): 'address' | 'limit' | undefined {
    const { connectionsMax = 64 } = this.#options
    if (!this.#isAllowed(socket.remoteAddress)) return 'address'
    return this.#sockets.size < connectionsMax || this.#replaceSilent() ? undefined : 'limit'
  }

  /** Whoever has held a place for long and never said anything gives it up: the one that came first. */
  #replaceSilent(): boolean {
    const now = this.#deps.clock.monotonicMs()
    for (const socket of this.#sockets) {
      if (this.#connections.get(nameOf(socket))?.isSilentAt(now) !== true) continue
      this.counters.silentReplaced++
      const host = hostOf(socket)
      this.#deps.log.warn('mllp.silent-replaced', { host, port: this.port })
      this.#options.onRefused?.({ reason: 'silent', host })
      this.#sockets.delete(socket)
      socket.destroy()
      return true
    }
    return false
  }

  #open(socket: Socket): void {
    // A sender may end its side and still read its answers. Not before here: an end within a handshake is the end.
    socket.allowHalfOpen = true
    const connection = new MllpConnection(socket, peerOf(socket), this.#connectionOptions, {
      ...this.#deps,
      counters: this.counters,
    })
    const name = nameOf(socket)
    this.#connections.set(name, connection)
    // The same port of the peer may have come again already.
    void connection.closed.then(() => this.#connections.get(name) === connection && this.#connections.delete(name))
    if (!this.#server.listening) connection.close()
  }

  /** One round for all connections: a timer for each would cost more than the connection itself. */
  async #sweep(): Promise<void> {
    const { signal } = this.#stopped
    while (!signal.aborted) {
      await pause(this.#deps.clock, sweepMs, signal)
      const now = this.#deps.clock.monotonicMs()
      for (const connection of this.#connections.values()) connection.expire(now)
    }
  }
}

const sweepMs = 1_000
const handshakeTimeoutMs = 10_000

/** Whoever is refused for their certificate, and whoever does not like ours, end in the same silence. */
function handshakeFailure(error: Error, { authorizationError }: TLSSocket): string {
  // Node has the code of the reason here, whatever its types say.
  if (authorizationError) return `The certificate of the sender is refused: ${String(authorizationError)}`
  return 'code' in error && error.code === 'ECONNRESET'
    ? 'The sender ended the connection within the handshake; it may not trust our certificate'
    : error.message
}

const hostOf = (socket: Socket): string => plainAddress(socket.remoteAddress) ?? ''

const nameOf = (socket: Socket): string => `${hostOf(socket)} ${socket.remotePort}`

function peerOf(socket: Socket): Peer {
  const certificate = socket instanceof TLSSocket ? socket.getPeerCertificate() : undefined
  const name: unknown = certificate?.subject?.CN
  return {
    address: hostOf(socket),
    port: socket.remotePort ?? 0,
    certificateName: typeof name === 'string' ? name : undefined,
  }
}
