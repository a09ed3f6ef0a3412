import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../../packages/clock/clock.ts'
import { unavailable, unprocessable } from '../../../../packages/faults/fault.ts'
import {
  connectMllp,
  readAcknowledgement,
  tryParseMessage,
  type ClientTls,
  type MllpClient,
} from '../../../../packages/hl7/index.ts'

export interface MllpDeliveryDeps {
  readonly clock: Clock
  readonly tls: ClientTls
  readonly deadlineMs: number
}

const closeGraceMs = 1_000
/** Receivers come and go with their subscriptions; one that comes back gets a connection again. */
const linesMax = 100

/** A connection that is there, or is being opened. */
interface Line {
  readonly opening: Promise<MllpClient>
  client?: MllpClient
}

/** Messages over MLLP: one connection a receiver, kept open, and opened again when it was lost. */
export class MllpDeliveries {
  readonly #deps: MllpDeliveryDeps
  readonly #lines: LRUCache<string, Line>

  constructor(deps: MllpDeliveryDeps) {
    this.#deps = deps
    this.#lines = new LRUCache({
      max: linesMax,
      dispose: (line, _endpoint, why) => {
        if (why === 'evict') void hangUp(line)
      },
    })
  }

  /** Resolves with the receiver's code. `unavailable`: send again; `unprocessable`: never. */
  async deliver(endpoint: string, message: string): Promise<string> {
    const client = await this.#clientFor(endpoint)
    const answer = tryParseMessage(await client.send(Buffer.from(message))).message
    const acknowledgement = answer === undefined ? undefined : readAcknowledgement(answer)
    if (acknowledgement === undefined) {
      throw unavailable('The receiver gave an answer that is no acknowledgement.', { code: 'MLLP_ANSWER' })
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
    const closed = Promise.allSettled(lines.map(hangUp))
    await Promise.race([closed, passed])
  }

  /** Whoever asks while it is being opened waits for the same one. */
  #clientFor(endpoint: string): Promise<MllpClient> {
    const line = this.#lines.get(endpoint)
    return line === undefined || line.client?.isOpen === false ? this.#open(endpoint) : line.opening
  }

  #open(endpoint: string): Promise<MllpClient> {
    const { protocol, hostname, port } = new URL(endpoint)
    const { clock, tls, deadlineMs } = this.#deps
    const opening = connectMllp(
      {
        host: hostname.replace(/^\[|\]$/g, ''),
        port: Number(port),
        ...{ connectTimeoutMs: deadlineMs, answerTimeoutMs: deadlineMs },
        ...(protocol === 'mllps:' ? { tls } : {}),
      },
      { clock },
    )
    const line: Line = { opening }
    this.#lines.set(endpoint, line)
    opening.then(
      (client) => (line.client = client),
      () => this.#lines.get(endpoint) === line && this.#lines.delete(endpoint),
    )
    return opening
  }
}

/** After the answers that are due. One that could not be opened has told so to whoever wanted it. */
const hangUp = ({ opening }: Line): Promise<void> =>
  opening.then(
    (client) => client.close(),
    () => {},
  )
