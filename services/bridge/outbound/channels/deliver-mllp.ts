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

/** Messages over MLLP: one connection a receiver, kept open, and opened again when it was lost. */
export class MllpDeliveries {
  readonly #deps: MllpDeliveryDeps
  readonly #clients = new Map<string, Promise<MllpClient>>()

  constructor(deps: MllpDeliveryDeps) {
    this.#deps = deps
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
    const opening = [...this.#clients.values()]
    this.#clients.clear()
    using grace = this.#deps.clock.deadline(closeGraceMs)
    const passed = new Promise<void>((resolve) => grace.signal.addEventListener('abort', () => resolve()))
    const closed = Promise.allSettled(opening.map(async (client) => (await client).close()))
    await Promise.race([closed, passed])
  }

  async #clientFor(endpoint: string): Promise<MllpClient> {
    const known = await this.#clients.get(endpoint)?.catch(() => undefined)
    if (known?.isOpen === true) return known
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
    this.#clients.set(endpoint, opening)
    try {
      return await opening
    } catch (thrown) {
      if (this.#clients.get(endpoint) === opening) this.#clients.delete(endpoint)
      throw thrown
    }
  }
}
