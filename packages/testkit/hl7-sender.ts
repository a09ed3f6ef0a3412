import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'
import { systemClock, type Clock } from '../clock/clock.ts'
import { unavailable, type Fault } from '../faults/fault.ts'
import { readHl7Answer, type Hl7Answer } from './hl7-answer.ts'
import { mllpFrame, MllpAnswers } from './mllp-answers.ts'

interface Hl7SenderOptions {
  readonly host: string
  readonly port: number
  /** Present: TLS, with these certificates and authorities. */
  readonly tls?: ConnectionOptions
  readonly clock?: Clock
}

interface SendOptions {
  /** Positions in the framed bytes (0 is the VT) at which the write is broken into two. */
  readonly splitAt?: readonly number[]
  readonly deadlineMs?: number
}

/** Opens one MLLP connection. Messages sent at once are all in flight on it and are answered in their order. */
export async function openHl7Sender(options: Hl7SenderOptions): Promise<Hl7Sender> {
  const { host, port, tls, clock = systemClock } = options
  const socket = tls === undefined ? connect({ host, port }) : connectTls({ ...tls, host, port })
  using deadline = clock.deadline(connectMs)
  try {
    await once(socket, tls === undefined ? 'connect' : 'secureConnect', { signal: deadline.signal })
  } catch (cause) {
    socket.destroy()
    throw unavailable(`No connection to ${host}:${port}: ${reasonOf(cause)}`, { cause })
  }
  return new Hl7Sender(socket, clock)
}

export class Hl7Sender implements AsyncDisposable {
  /** Frames and faults that came without a message waiting for them. */
  readonly unasked: (Buffer | Fault)[] = []
  readonly #socket: Socket
  readonly #clock: Clock
  readonly #answers = new MllpAnswers()
  readonly #waiting: Waiting[] = []
  readonly #ended: Promise<Fault>
  #end: Fault | undefined
  #lastWrite: Promise<void> = Promise.resolve()

  constructor(socket: Socket, clock: Clock) {
    this.#socket = socket
    this.#clock = clock
    // Each write is its own segment, so that a split message is really seen split.
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    this.#ended = new Promise((resolve) => {
      let reason = 'the other side closed the connection'
      socket.on('error', (error) => (reason = error.message))
      socket.on('close', () => resolve(this.#close(reason)))
    })
  }

  /** Frames the message, sends it and waits for its answer. */
  async send(message: string | Buffer, options: SendOptions = {}): Promise<Hl7Answer> {
    const answer = this.nextAnswer(options)
    // The answer fails with the better reason, so a failed write is left to it.
    this.sendRaw(mllpFrame(message), options).catch(() => {})
    return readHl7Answer(await answer)
  }

  /** Sends all of them without waiting in between. */
  sendMany(messages: readonly (string | Buffer)[], options: SendOptions = {}): Promise<Hl7Answer[]> {
    return Promise.all(messages.map((message) => this.send(message, options)))
  }

  /** Sends bytes as they are and expects no answer; `nextAnswer` waits for one. */
  sendRaw(bytes: Buffer, options: Pick<SendOptions, 'splitAt'> = {}): Promise<void> {
    // A split message must not be interleaved with the next one.
    this.#lastWrite = this.#lastWrite.then(() => this.#write(split(bytes, options.splitAt ?? [])))
    this.#lastWrite.catch(() => {})
    return this.#lastWrite
  }

  /** The bytes of the next answer that no earlier call waits for. */
  async nextAnswer(options: Pick<SendOptions, 'deadlineMs'> = {}): Promise<Buffer> {
    const { deadlineMs = answerMs } = options
    if (this.#end !== undefined) throw this.#end
    using deadline = this.#clock.deadline(deadlineMs)
    return await new Promise<Buffer>((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      // The place in the row stays: a late answer belongs to this message, not to the next one.
      const late = () => reject(unavailable(`No answer came in ${deadlineMs} ms`, { code: 'GATEWAY_TIMEOUT' }))
      deadline.signal.addEventListener('abort', late, { once: true })
    })
  }

  /** Why the connection ended, once the other side has ended it. */
  async waitForEnd(options: { deadlineMs?: number } = {}): Promise<Fault> {
    const { deadlineMs = answerMs } = options
    using deadline = this.#clock.deadline(deadlineMs)
    const late = once(deadline.signal, 'abort').then(() => {
      throw unavailable(`The connection was still open after ${deadlineMs} ms`, { code: 'GATEWAY_TIMEOUT' })
    })
    late.catch(() => {})
    return await Promise.race([this.#ended, late])
  }

  /** Ends the connection in good order and waits until it is gone. */
  async close(): Promise<void> {
    this.#socket.end()
    this.#socket.destroySoon()
    await this.#ended
  }

  /** Breaks the connection off with a reset, as a crashing sender does. */
  async reset(): Promise<void> {
    this.#socket.resetAndDestroy()
    await this.#ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy()
    await this.#ended
  }

  #take(chunk: Buffer): void {
    for (const answer of this.#answers.take(chunk)) {
      const waiting = this.#waiting.shift()
      if (waiting === undefined) this.unasked.push('message' in answer ? answer.message : answer.fault)
      else if ('message' in answer) waiting.resolve(answer.message)
      else waiting.reject(answer.fault)
    }
  }

  #close(reason: string): Fault {
    const pending = this.#answers.pendingBytes
    const cut = pending === 0 ? '' : `, ${pending} bytes into an answer`
    this.#end = unavailable(`The connection ended: ${reason}${cut}`)
    for (const waiting of this.#waiting.splice(0)) waiting.reject(this.#end)
    return this.#end
  }

  async #write(parts: readonly Buffer[]): Promise<void> {
    for (const part of parts) {
      if (this.#end !== undefined) throw this.#end
      await new Promise<void>((resolve, reject) => {
        this.#socket.write(part, (error) => (error === null || error === undefined ? resolve() : reject(error)))
      })
      // Lets a listener in this process read the part before the next one is there.
      if (parts.length > 1) await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }
}

interface Waiting {
  readonly resolve: (message: Buffer) => void
  readonly reject: (fault: Fault) => void
}

const connectMs = 20_000
/** The bridge answers within thirty seconds, whatever happens: who has not heard by then never will. */
const answerMs = 40_000

function split(bytes: Buffer, at: readonly number[]): Buffer[] {
  const inside = at.filter((position) => position > 0 && position < bytes.length)
  const cuts = [0, ...[...new Set(inside)].sort((a, b) => a - b), bytes.length]
  return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end))
}

const reasonOf = (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown))
