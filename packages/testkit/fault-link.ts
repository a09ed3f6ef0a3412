import type { Server as HttpServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Clock } from '../clock/clock.ts'
import { pause } from '../clock/pause.ts'
import { unreachable } from '../faults/fault.ts'
import type { FaultMode } from './fault-modes.ts'

export interface FaultCounts {
  accepted: number
  /** Connections that the proxy itself broke. */
  cut: number
  requestBytes: number
  answerBytes: number
  /** Bytes that were taken and went nowhere. */
  lostBytes: number
  /** Requests that the proxy answered in place of the dependency. */
  answered: number
}

interface FaultLinkDeps {
  readonly upstream: { readonly host: string; readonly port: number }
  readonly counts: FaultCounts
  readonly answering: HttpServer
  readonly clock: Clock
  readonly mode: () => FaultMode
  /** Aborts when the mode is switched, so that nothing waits on in a mode that is over. */
  readonly modeEnds: () => AbortSignal
}

type Direction = 'request' | 'answer'

/** One client's connection through a fault proxy, and the connection to the dependency behind it. */
export class FaultLink {
  readonly #client: Socket
  readonly #deps: FaultLinkDeps
  readonly #passed = { request: 0, answer: 0 }
  #upstream: Socket | undefined
  /** Bytes were lost: from here on the connection is silent. */
  #silent = false
  #answeredHere = false

  constructor(client: Socket, deps: FaultLinkDeps) {
    this.#client = client
    this.#deps = deps
    // An error ends in a close, which is where the link ends.
    client.on('error', () => {})
    client.once('close', () => this.#upstream?.destroy())
  }

  /** Called when the link begins and each time the mode is switched. */
  enter(mode: FaultMode): void {
    if (this.#silent || this.#answeredHere) return
    switch (mode.kind) {
      case 'refuse':
      case 'reset':
        return this.cut()
      case 'hang':
        return this.#fallSilent()
      case 'half-open':
        this.#fallSilent()
        return void this.#upstream?.destroy()
      case 'http':
        return this.#answerHere()
      case 'pass':
      case 'slow':
      case 'cut-after':
      case 'cut-response':
      case 'lose-response':
        return this.#join()
      default:
        return unreachable(mode)
    }
  }

  /** Breaks both connections with a reset. */
  cut(): void {
    if (this.#client.destroyed) return
    this.#deps.counts.cut++
    this.#client.resetAndDestroy()
    this.#upstream?.destroy()
  }

  #join(): void {
    if (this.#upstream !== undefined || this.#client.destroyed) return
    const upstream = connect({ ...this.#deps.upstream, allowHalfOpen: true, noDelay: true })
    this.#upstream = upstream
    // A client whose connection is silent must not learn that the dependency broke it.
    upstream.on('error', () => this.#silent || this.cut())
    void this.#forward(this.#client, upstream, 'request')
    void this.#forward(upstream, this.#client, 'answer')
  }

  async #forward(from: Socket, to: Socket, direction: Direction): Promise<void> {
    try {
      // Not destroyed at its end: a client that has said all may still wait for the answer.
      for await (const chunk of from.iterator({ destroyOnReturn: false })) {
        // Sound: a socket without an encoding gives buffers.
        await this.#carry(chunk as Buffer, to, direction)
      }
      if (!this.#silent) to.end()
      else if (direction === 'request') from.destroy()
    } catch {
      // A broken connection: its error and close events have done what there was to do.
    }
  }

  async #carry(chunk: Buffer, to: Socket, direction: Direction): Promise<void> {
    const mode = this.#deps.mode()
    if (mode.kind === 'lose-response' && direction === 'answer') this.#fallSilent()
    if (this.#silent) return this.#lose(chunk)
    if (mode.kind === 'cut-response' && direction === 'answer') return this.cut()
    if (mode.kind === 'slow') return this.#carrySlowly(chunk, to, direction, mode)
    if (mode.kind !== 'cut-after' || mode.of !== direction) return this.#write(chunk, to, direction)
    const left = Math.max(0, mode.bytes - this.#passed[direction])
    await this.#write(chunk.subarray(0, left), to, direction)
    if (chunk.length >= left) this.#cutGently()
  }

  async #carrySlowly(
    chunk: Buffer,
    to: Socket,
    direction: Direction,
    pace: FaultMode & { kind: 'slow' },
  ): Promise<void> {
    const modeEnds = this.#deps.modeEnds()
    await this.#pause(pace.delayMs, modeEnds)
    const sliceBytes = Math.max(1, Math.ceil(Math.min(chunk.length, pace.bytesPerSecond / slicesPerSecond)))
    for (let from = 0; from < chunk.length; from += sliceBytes) {
      // The mode was switched meanwhile: the rest goes the way of the new one.
      if (modeEnds.aborted) return this.#carry(chunk.subarray(from), to, direction)
      await this.#write(chunk.subarray(from, from + sliceBytes), to, direction)
      if (Number.isFinite(pace.bytesPerSecond)) await this.#pause((sliceBytes / pace.bytesPerSecond) * 1_000, modeEnds)
    }
  }

  async #pause(ms: number, modeEnds: AbortSignal): Promise<void> {
    if (ms === 0 || modeEnds.aborted) return
    await pause(this.#deps.clock, ms, modeEnds)
  }

  #write(bytes: Buffer, to: Socket, direction: Direction): Promise<void> {
    this.#passed[direction] += bytes.length
    this.#deps.counts[direction === 'request' ? 'requestBytes' : 'answerBytes'] += bytes.length
    return new Promise((resolve) => {
      if (bytes.length === 0 || to.destroyed) resolve()
      else to.write(bytes, () => resolve())
    })
  }

  #lose(bytes: Buffer): void {
    this.#deps.counts.lostBytes += bytes.length
  }

  /** A reset would throw away what the client has not read yet; an end lets it read the part that it was given. */
  #cutGently(): void {
    this.#deps.counts.cut++
    this.#client.end()
    this.#client.destroySoon()
    this.#upstream?.destroy()
  }

  #fallSilent(): void {
    this.#silent = true
    // Read on and forget, or the client's own end would never be seen.
    if (this.#upstream === undefined) void this.#forward(this.#client, this.#client, 'request')
  }

  /** Answers this connection's requests in place of the dependency; one that has begun with it can only break. */
  #answerHere(): void {
    if (this.#upstream !== undefined) return this.cut()
    this.#answeredHere = true
    this.#deps.answering.emit('connection', this.#client)
  }
}

const slicesPerSecond = 20
