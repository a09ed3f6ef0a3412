import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../../packages/clock/clock.ts'
import { unavailable, unprocessable } from '../../../../packages/faults/fault.ts'
import { readAcknowledgement, tryParseMessage, type ClientTls } from '../../../../packages/hl7/index.ts'
import { MllpLine } from './mllp-line.ts'

interface MllpDeliveryDeps {
  readonly clock: Clock
  /** As it is now; asked for at each connection. */
  readonly tls: () => ClientTls
  readonly deadlineMs: number
  /** How long a message may wait for those before it. */
  readonly patienceMs: number
}

const closeGraceMs = 1_000
/** Receivers come and go with their subscriptions; one that comes back gets a connection again. */
const linesMax = 100

/** Messages over MLLP: one connection a receiver, kept open, and opened again when it was lost. */
export class MllpDeliveries {
  readonly #deps: MllpDeliveryDeps
  readonly #lines: LRUCache<string, MllpLine>

  constructor(deps: MllpDeliveryDeps) {
    this.#deps = deps
    this.#lines = new LRUCache({
      max: linesMax,
      dispose: (line, _endpoint, why) => {
        if (why === 'evict') void line.close()
      },
    })
  }

  /** Resolves with the receiver's code. `unavailable`: send again; `unprocessable`: never. */
  async deliver(endpoint: string, message: string, signal?: AbortSignal): Promise<string> {
    const answer = tryParseMessage(await this.#lineTo(endpoint).send(Buffer.from(message), signal)).message
    const acknowledgement = answer === undefined ? undefined : readAcknowledgement(answer)
    if (acknowledgement === undefined) {
      throw unavailable('The receiver gave an answer that is not an acknowledgement.', { code: 'MLLP_ANSWER' })
    }
    const { code } = acknowledgement
    if (code === 'AA' || code === 'CA') return code
    // The texts of an answer may quote the message: neither the log nor the error holds them.
    if (code === 'AE' || code === 'CE') throw unavailable(`The receiver answered ${code}.`, { code: 'MLLP_ERROR' })
    throw unprocessable(`The receiver answered ${code}: it will not take this message.`, { code: 'MLLP_REJECTED' })
  }

  /** A receiver that does not answer any more is not waited for. */
  async close(): Promise<void> {
    const lines = [...this.#lines.values()]
    this.#lines.clear()
    using grace = this.#deps.clock.deadline(closeGraceMs)
    const passed = new Promise<void>((resolve) => grace.signal.addEventListener('abort', () => resolve()))
    for (const line of lines) line.drop()
    const closed = Promise.allSettled(lines.map((line) => line.close()))
    await Promise.race([closed, passed])
  }

  #lineTo(endpoint: string): MllpLine {
    const line = this.#lines.get(endpoint) ?? this.#newLine(endpoint)
    this.#lines.set(endpoint, line)
    return line
  }

  #newLine(endpoint: string): MllpLine {
    const { protocol, hostname, port } = new URL(endpoint)
    const { tls, deadlineMs } = this.#deps
    const receiver = {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port),
      ...{ connectTimeoutMs: deadlineMs, answerTimeoutMs: deadlineMs },
    }
    const isTls = protocol === 'mllps:'
    return new MllpLine(() => (isTls ? { ...receiver, tls: tls() } : receiver), this.#deps)
  }
}
