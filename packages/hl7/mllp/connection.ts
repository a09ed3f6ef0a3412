import type { Socket } from 'node:net'
import { faultOf } from '../../faults/fault.ts'
import type { ConnectionDeps, ConnectionOptions, Peer } from './connection-options.ts'
import { frame, Framer, type FrameEvent } from './framer.ts'
import { writeAll } from './write-all.ts'

/** One sender's connection: messages are handled one at a time, and answered in the order in which they came. */
export class MllpConnection {
  readonly peer: Peer
  /** Resolves when the socket is gone. */
  readonly closed: Promise<void>
  readonly #socket: Socket
  readonly #options: ConnectionOptions
  readonly #deps: ConnectionDeps
  readonly #framer: Framer
  readonly #waiting: Work[] = []
  #hasSpoken = false
  #isRunning = false
  #hasEnded = false
  #isClosing = false
  #frameSince: number | undefined
  #noiseSince: number | undefined
  #heldSince: number | undefined
  #writeSince: number | undefined
  #lingerSince: number | undefined
  #idleSince: number

  constructor(socket: Socket, peer: Peer, options: ConnectionOptions, deps: ConnectionDeps) {
    this.peer = peer
    this.#socket = socket
    this.#options = options
    this.#deps = deps
    this.#framer = new Framer({ frameBytesMax: options.frameBytesMax })
    this.#idleSince = deps.clock.monotonicMs()
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#takeAll(this.#framer.end())
        resolve()
      })
    })
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('end', () => this.#receiveEnd())
    socket.on('error', (error) => deps.log.debug('mllp.socket-failed', { host: peer.address, error: error.message }))
  }

  /** It has had the time that a frame may take, and nothing has come that is or may become a message. */
  isSilentAt(nowMs: number): boolean {
    return !this.#hasSpoken && !this.#framer.isInFrame && nowMs - this.#idleSince >= this.#options.frameTimeoutMs
  }

  /** Closes the connection when one of its deadlines has passed. */
  expire(nowMs: number): void {
    const { frameTimeoutMs, idleTimeoutMs, writeTimeoutMs } = this.#options
    const { counters } = this.#deps
    const hasPassed = (since: number | undefined, limitMs: number) => since !== undefined && nowMs - since >= limitMs
    if (hasPassed(this.#noiseSince, frameTimeoutMs)) {
      // Bytes without any frame: the operator must hear of them while the sender still waits.
      this.#noiseSince = undefined
      this.#takeAll(this.#framer.takeNoise())
    }
    if (!this.#socket.isPaused() && hasPassed(this.#heldSince, heldMs)) {
      this.#heldSince = undefined
      this.#takeAll(this.#framer.takeHeld())
      this.#run()
    }
    if (hasPassed(this.#writeSince, writeTimeoutMs)) {
      counters.writeTimeouts++
      this.#abandon('mllp.answer-not-read')
    } else if (hasPassed(this.#lingerSince, lingerMs)) {
      this.#socket.destroy()
    } else if (!this.#socket.isPaused() && hasPassed(this.#frameSince, this.#frameMs())) {
      counters.frameTimeouts++
      this.#abandon('mllp.frame-too-slow')
    } else if (!this.#isBusy && hasPassed(this.#idleSince, idleTimeoutMs)) {
      counters.idleTimeouts++
      this.#abandon('mllp.idle')
    }
  }

  /** A message is being handled, or is on its way: how long that may take is the frame's own time. */
  get #isBusy(): boolean {
    return this.#isRunning || this.#framer.isInFrame
  }

  /** So long may the frame take by what has come of it: a large one over a slow line is no sender that has stopped. */
  #frameMs(): number {
    return this.#options.frameTimeoutMs * (1 + Math.floor(this.#framer.frameBytes / progressBytes))
  }

  /** Finishes the message that is being handled, sends its answer, and closes. Those that wait stay unanswered. */
  close(): void {
    this.#isClosing = true
    this.#waiting.length = 0
    if (!this.#isRunning) this.#finish()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  #receive(chunk: Buffer): void {
    if (this.#isClosing) return
    this.#deps.counters.bytesReceived += chunk.length
    const events = this.#framer.push(chunk)
    // Not only when a frame follows: a browser or a monitor waits for an answer and sends nothing more.
    if (isHttp(this.#framer.noiseHead) || events.some(isHttpNoise)) return this.#refuseHttp()
    this.#takeAll(events)
    const now = this.#deps.clock.monotonicMs()
    this.#frameSince = this.#framer.isInFrame ? (this.#frameSince ?? now) : undefined
    this.#noiseSince = this.#framer.hasNoise ? (this.#noiseSince ?? now) : undefined
    this.#heldSince = this.#framer.heldBytes > 0 ? now : undefined
    this.#run()
    if (this.#isFull) this.#socket.pause()
  }

  #receiveEnd(): void {
    this.#hasEnded = true
    if (this.#isClosing) return
    this.#takeAll(this.#framer.end())
    this.#frameSince = undefined
    this.#run()
  }

  #takeAll(events: readonly FrameEvent[]): void {
    for (const event of events) this.#take(event)
  }

  #take(event: FrameEvent): void {
    const { counters } = this.#deps
    // Whatever ends a frame lets the next one have its own time.
    this.#frameSince = undefined
    if (event.kind === 'frame') {
      this.#hasSpoken = true
      counters.framesReceived++
      this.#waiting.push({ bytes: event.bytes })
      return
    }
    if (event.kind === 'noise') counters.noiseBytes += event.length
    else if (event.kind === 'oversize') counters.framesOversize++
    else counters.framesBroken++
    this.#report(event)
    if (event.kind === 'oversize') this.#waiting.push({ bytes: event.head, oversizeLength: event.length })
  }

  /** What the channel does with an event is not the sender's business. */
  #report(event: Exclude<FrameEvent, { kind: 'frame' }>): void {
    try {
      this.#options.onEvent(event, this.peer)
    } catch (error) {
      this.#deps.log.error('mllp.event-failed', { error: faultOf(error).message })
    }
  }

  /** Handles what waits, one after the other; a second call while one runs does nothing. */
  #run(): void {
    if (this.#isRunning) return
    if (this.#waiting.length === 0) {
      if (this.#hasEnded) this.#finish()
      return
    }
    this.#isRunning = true
    void this.#work()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#isRunning = false
        if (this.#isClosing || this.#hasEnded) this.#finish()
      })
  }

  get #isFull(): boolean {
    return this.#waiting.length + (this.#isRunning ? 1 : 0) >= this.#options.unansweredMax
  }

  async #work(): Promise<void> {
    for (let work = this.#waiting.shift(); work !== undefined; work = this.#waiting.shift()) {
      const answer = await this.#answerTo(work)
      if (answer !== undefined) await this.#write(frame(answer))
      this.#idleSince = this.#deps.clock.monotonicMs()
      if (work.oversizeLength !== undefined) return this.close()
      if (this.#waiting.length < this.#options.unansweredMax && !this.#isClosing) this.#resume()
    }
  }

  /** The time in which we did not read is not the sender's. */
  #resume(): void {
    if (!this.#socket.isPaused()) return
    const now = this.#deps.clock.monotonicMs()
    if (this.#framer.isInFrame) this.#frameSince = now
    if (this.#heldSince !== undefined) this.#heldSince = now
    this.#socket.resume()
  }

  async #answerTo(work: Work): Promise<Uint8Array | undefined> {
    const { onMessage, onFailure } = this.#options
    const { counters } = this.#deps
    const { bytes, oversizeLength } = work
    if (oversizeLength !== undefined) return this.#answerToOversize(bytes, oversizeLength)
    let isAccepted = false
    const markAccepted = () => {
      isAccepted = true
    }
    const send = (answer: Uint8Array) => {
      markAccepted()
      return this.#write(frame(answer))
    }
    try {
      return await onMessage(bytes, this.peer, send, markAccepted)
    } catch (error) {
      counters.handlerFailures++
      this.#tellFailure(error)
      return onFailure({ bytes, failure: error, isAccepted })
    }
  }

  /** Whether or not it could be written down: it is never taken as it is. */
  async #answerToOversize(head: Buffer, length: number): Promise<Uint8Array | undefined> {
    const { onOversize, onFailure } = this.#options
    let isAnswered = false
    const send = (answer: Uint8Array) => {
      isAnswered = true
      return this.#write(frame(answer))
    }
    if (onOversize === undefined) return onFailure({ bytes: head, failure: undefined })
    try {
      await onOversize({ head, length }, this.peer, send)
      return undefined
    } catch (error) {
      this.#tellFailure(error)
      return isAnswered ? undefined : onFailure({ bytes: head, failure: undefined })
    }
  }

  #tellFailure(error: unknown): void {
    const { kind, message, logged } = faultOf(error)
    const told = { host: this.peer.address, faultKind: kind, error: logged ?? message }
    this.#deps.log.error('mllp.handler-failed', told)
  }

  /** Waits until the answer has left our memory, so that a sender who never reads cannot fill it. */
  async #write(bytes: Buffer): Promise<void> {
    const { counters, clock } = this.#deps
    this.#writeSince = clock.monotonicMs()
    const isSent = await writeAll(this.#socket, bytes)
    this.#writeSince = undefined
    if (!isSent) return
    counters.answersSent++
    counters.bytesSent += bytes.length
  }

  /**
   * Ends our side and reads on until the sender has ended its own, for a moment at most: closing while its bytes are
   * still unread would reset the connection, and the sender would lose the answer that is on its way.
   */
  #finish(): void {
    this.#isClosing = true
    this.#lingerSince ??= this.#deps.clock.monotonicMs()
    const destroyWhenBothEnded = () => {
      if (this.#socket.writableFinished && this.#socket.readableEnded) this.#socket.destroy()
    }
    this.#socket.once('finish', destroyWhenBothEnded).once('end', destroyWhenBothEnded)
    this.#socket.end()
    this.#socket.resume()
    destroyWhenBothEnded()
  }

  /** Not even the refusal could be made: that is a bug of ours, and it ends with this connection. */
  #fail(error: unknown): void {
    this.#deps.log.error('mllp.answer-failed', { error: faultOf(error).message })
    this.#socket.destroy()
  }

  /** Nothing of what came with the request is read, and what waits of this connection is not either. */
  #refuseHttp(): void {
    this.#deps.counters.httpRequests++
    this.#options.onHttp(this.peer)
    this.#framer.takeNoise() // it is told of as what it is, and not as noise as well
    this.#isClosing = true
    this.#waiting.length = 0
    this.#abandon('mllp.http-request')
  }

  #abandon(event: string): void {
    this.#deps.log.warn(event, { host: this.peer.address, port: this.peer.port })
    this.#socket.destroy()
  }
}

/** What must come of a frame for it to have its time once more: a modem of 35 kbit/s does it within a minute. */
const progressBytes = 262_144

/** How long nothing must follow what may be the end of a message in UTF-16, or letters of it. */
const heldMs = 1_000

/** How long a sender may take to end its side after we have ended ours. */
const lingerMs = 2_000

/**
 * A web page may let its reader's browser post a frame to any address that the browser can reach, and the head of the
 * request would be noise like any other. No system that sends HL7 begins like this.
 */
const isHttp = (head: Buffer): boolean =>
  head.length > 0 && /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE) /.test(head.toString('latin1', 0, 10))

const isHttpNoise = (event: FrameEvent): boolean => event.kind === 'noise' && isHttp(event.head)

interface Work {
  readonly bytes: Buffer
  /** Of a frame that was too large, of which `bytes` is the beginning. */
  readonly oversizeLength?: number
}
