import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Clock } from '../../clock/clock.ts'
import { unavailable, type Fault } from '../../faults/fault.ts'
import { serverNameOf } from '../../keys/server-name.ts'
import { tryParseMessage } from '../parse.ts'
import { isAnswerTo, readAcknowledgement } from '../read-acknowledgement.ts'
import { frame, Framer, frameBytesMaxDefault } from './framer.ts'
import type { ClientTls } from './tls.ts'

export interface MllpClientOptions {
  readonly host: string
  readonly port: number
  readonly tls?: ClientTls
  readonly connectTimeoutMs?: number
  /** From sending a message to its answer. */
  readonly answerTimeoutMs?: number
  readonly answerBytesMax?: number
}

export interface MllpClientDeps {
  readonly clock: Clock
}

/** Connects, or throws an `unavailable` fault. A lost connection is not mended: connect again. */
export async function connectMllp(options: MllpClientOptions, deps: MllpClientDeps): Promise<MllpClient> {
  const socket = openSocket(options)
  using deadline = deps.clock.deadline(options.connectTimeoutMs ?? 10_000)
  const ready = options.tls === undefined ? 'connect' : 'secureConnect'
  await new Promise<void>((resolve, reject) => {
    let isConnected = false
    const fail = (cause: unknown) => {
      socket.destroy()
      const isTls = isConnected && options.tls !== undefined
      reject(isTls ? tlsFailed(cause) : unreached(cause))
    }
    socket.once('error', fail)
    socket.once('connect', () => (isConnected = true))
    deadline.signal.addEventListener('abort', () => fail(deadline.signal.reason))
    socket.once(ready, () => {
      socket.removeListener('error', fail)
      resolve()
    })
  })
  return new MllpClient(socket, options, deps)
}

interface Pending {
  readonly accepts: (answer: Buffer) => boolean
  readonly resolve: (answer: Buffer) => void
  readonly reject: (fault: Fault) => void
}

/** One connection to a receiver. Messages go out one at a time, each after the answer to the one before. */
export class MllpClient {
  readonly counters = { messagesSent: 0, answersReceived: 0, strayFrames: 0, noiseBytes: 0 }
  readonly #socket: Socket
  readonly #options: MllpClientOptions
  readonly #deps: MllpClientDeps
  readonly #framer: Framer
  readonly #what: string
  #last: Promise<unknown> = Promise.resolve()
  #pending: Pending | undefined
  #tlsFault: Fault | undefined
  /** What came since the message was sent and is no answer to it. */
  #instead = ''

  constructor(socket: Socket, options: MllpClientOptions, deps: MllpClientDeps) {
    this.#socket = socket
    this.#options = options
    this.#deps = deps
    this.#framer = new Framer({ frameBytesMax: options.answerBytesMax ?? frameBytesMaxDefault })
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('error', (error) => this.#failBy(error))
    // Some receivers close without a word when they do not like our certificate.
    this.#what = options.tls === undefined ? 'connection' : 'TLS connection'
    const closed = `The receiver closed the ${this.#what} before it answered.`
    socket.on('close', () => this.#fail(lost(this.#remarked(closed), 'MLLP_LOST')))
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed && this.#socket.writable
  }

  /** Sends a message and resolves with its answer. After a missing answer the connection is closed. */
  send(message: Uint8Array): Promise<Buffer> {
    const sent = this.#last.then(() => this.#exchange(message))
    this.#last = sent.catch(() => {})
    return sent
  }

  /** Waits for the answers that are due, then closes. */
  async close(): Promise<void> {
    await this.#last
    if (this.#socket.destroyed) return
    await new Promise<void>((resolve) => {
      this.#socket.once('close', () => resolve())
      this.#socket.end(() => this.#socket.destroy())
    })
  }

  async #exchange(message: Uint8Array): Promise<Buffer> {
    if (!this.isOpen) throw this.#tlsFault ?? lost('The connection is closed.', 'MLLP_LOST')
    using deadline = this.#deps.clock.deadline(this.#options.answerTimeoutMs ?? 30_000)
    return await new Promise<Buffer>((resolve, reject) => {
      this.#pending = { accepts: acceptsAnswerTo(message), resolve, reject }
      this.#instead = ''
      deadline.signal.addEventListener('abort', () => {
        this.#fail(lost(this.#remarked('The receiver did not answer in time.'), 'GATEWAY_TIMEOUT'))
        // An answer that comes late must not meet the next message.
        this.#socket.destroy()
      })
      this.#socket.write(frame(message))
      this.counters.messagesSent++
    })
  }

  #receive(chunk: Buffer): void {
    const events = this.#framer.push(chunk)
    // An answer has no more to say behind FS CR, and somebody waits for it.
    if (this.#framer.heldBytes > 1) events.push(...this.#framer.takeHeld())
    for (const event of events) {
      if (event.kind === 'noise') this.#passOver(event.length)
      else if (event.kind === 'frame') this.#take(event.bytes)
      else if (event.kind === 'oversize') {
        this.#fail(lost('The answer is larger than allowed.', 'MLLP_ANSWER_TOO_LARGE'))
        this.#socket.destroy()
      }
    }
  }

  #take(answer: Buffer): void {
    const pending = this.#pending
    if (pending === undefined || !pending.accepts(answer)) {
      this.counters.strayFrames++
      this.#instead = readsAsAnswer(answer) ? namesAnother : hasNoCode
      return
    }
    this.#pending = undefined
    this.counters.answersReceived++
    pending.resolve(answer)
  }

  #passOver(bytes: number): void {
    this.counters.noiseBytes += bytes
    this.#instead ||= noFrame
  }

  /** Who sends something else than an answer is not silent: there is nothing to be looked for in the network. */
  #remarked(text: string): string {
    const isHalf = this.#framer.isInFrame || this.#framer.hasNoise
    return `${text} ${this.#instead || (isHalf ? noFrame : '')}`.trimEnd()
  }

  /** With TLS 1.3 a receiver refuses our certificate, or misses one, when the connection is there already. */
  #failBy(error: Error): void {
    if (codeIn(error)?.startsWith('ERR_SSL_') === true) this.#tlsFault = tlsFailed(error)
    this.#fail(this.#tlsFault ?? lost(`The ${this.#what} failed.`, 'MLLP_LOST', error))
  }

  #fail(fault: Fault): void {
    this.#pending?.reject(fault)
    this.#pending = undefined
  }
}

const namesAnother = 'What it sent names another message in MSA-2.'
const hasNoCode = 'What it sent has no code of table 0008 in MSA-1.'
const noFrame = 'It sent bytes that are no whole MLLP frame.'

function readsAsAnswer(bytes: Buffer): boolean {
  const { message } = tryParseMessage(bytes)
  return message !== undefined && readAcknowledgement(message) !== undefined
}

/** MSA-2 must be our MSH-10. Where we sent no HL7 message, any answer is the answer. */
function acceptsAnswerTo(message: Uint8Array): (answer: Buffer) => boolean {
  const request = tryParseMessage(message).message
  if (request === undefined) return () => true
  return (bytes) => {
    const answer = tryParseMessage(bytes).message
    return answer === undefined || isAnswerTo(answer, request)
  }
}

function openSocket({ host, port, tls }: MllpClientOptions): Socket {
  const common = { host, port, keepAlive: true, keepAliveInitialDelay: 30_000, noDelay: true }
  if (tls === undefined) return connectPlain(common)
  const { ca, cert, key } = tls
  return connectTls({
    ...common,
    minVersion: 'TLSv1.2',
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...serverNameOf(host),
  })
}

const lost = (shown: string, code: string, cause?: unknown) => unavailable(shown, { code, cause })

/** ECONNREFUSED: nothing listens there; ENOTFOUND: nobody has that name; none: no answer in time. */
const unreached = (cause: unknown) => {
  const code = codeIn(cause)
  return lost(`The receiver cannot be reached${code === undefined ? '' : ` (${code})`}.`, 'MLLP_CONNECT', cause)
}

/** The code of the library, such as CERT_HAS_EXPIRED, says what an operator has to mend. */
const tlsFailed = (cause: unknown) => {
  const code = codeIn(cause)
  return lost(`TLS with the receiver failed${code === undefined ? '' : ` (${code})`}.`, 'MLLP_TLS', cause)
}

const codeIn = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
