import type { Clock } from '../../../../packages/clock/clock.ts'
import { faultOf, type Fault } from '../../../../packages/faults/fault.ts'
import { connectMllp, type MllpClient, type MllpClientOptions } from '../../../../packages/hl7/index.ts'
import { untried } from '../../../../packages/sql/tasks/task-attempt.ts'
import { turnTooLate } from '../turn-too-late.ts'

interface MllpLineDeps {
  readonly clock: Clock
  /** Whoever has waited longer for his turn is given back: there would be no time left for an answer. */
  readonly patienceMs: number
}

interface Waiting {
  readonly message: Uint8Array
  readonly since: number
  readonly signal: AbortSignal | undefined
  readonly resolve: (answer: Buffer) => void
  readonly reject: (fault: Fault) => void
}

/** These many messages one after the other without an answer: the receiver is silent, and not one message the cause. */
const silencesMax = 3

/**
 * The way to one receiver: messages go out one at a time, each after the answer to the one before, over a connection that
 * is kept, and opened again when it was lost. What happens to one message is not told of those that wait behind it.
 */
export class MllpLine {
  readonly #options: () => MllpClientOptions
  readonly #deps: MllpLineDeps
  readonly #waiting: Waiting[] = []
  #client: MllpClient | undefined
  #silences = 0
  #isWorking = false
  #working: Promise<void> = Promise.resolve()

  /** @param options as they are now: certificates are renewed */
  constructor(options: () => MllpClientOptions, deps: MllpLineDeps) {
    this.#options = options
    this.#deps = deps
  }

  /** Resolves with the answer. */
  send(message: Uint8Array, signal?: AbortSignal): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ message, since: this.#deps.clock.monotonicMs(), signal, resolve, reject })
      if (!this.#isWorking) this.#working = this.#work()
    })
  }

  /** After the answers to all that waits. */
  async close(): Promise<void> {
    while (this.#isWorking) await this.#working
    await this.#client?.close()
  }

  /** What has not been sent yet stays unsent. */
  drop(): void {
    this.#rejectAll(untried('This copy is stopping.'))
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      try {
        this.#checkTurn(next)
        next.resolve(await this.#exchange(next.message))
        this.#silences = 0
      } catch (thrown) {
        const fault = faultOf(thrown)
        next.reject(fault)
        this.#heed(fault)
      }
    }
    this.#isWorking = false
  }

  #checkTurn({ since, signal }: Waiting): void {
    if (signal?.aborted === true) throw untried('Nobody waits for this delivery any more.')
    if (this.#deps.clock.monotonicMs() - since > this.#deps.patienceMs) throw turnTooLate()
  }

  /** Many receivers close after each answer, often when the next message is on its way: it goes out once more, at once. */
  async #exchange(message: Uint8Array): Promise<Buffer> {
    const client = await this.#open()
    const isReused = client.counters.answersReceived > 0
    try {
      return await client.send(message)
    } catch (thrown) {
      if (!isReused || faultOf(thrown).code !== 'MLLP_LOST') throw thrown
      const fresh = await this.#open()
      return await fresh.send(message)
    }
  }

  async #open(): Promise<MllpClient> {
    if (this.#client?.isOpen === true) return this.#client
    this.#client = undefined
    this.#client = await connectMllp(this.#options(), this.#deps)
    return this.#client
  }

  /** Where there is nobody, or nobody who answers, those who wait do not find that out each for themselves. */
  #heed(fault: Fault): void {
    if (fault.code === 'GATEWAY_TIMEOUT') this.#silences++
    if (!isClosedToUs(fault) && this.#silences < silencesMax) return
    this.#silences = 0
    this.#rejectAll(fault)
  }

  #rejectAll(fault: Fault): void {
    for (const { reject } of this.#waiting.splice(0)) reject(fault)
  }
}

const isClosedToUs = ({ code }: Fault): boolean => code === 'MLLP_CONNECT' || code === 'MLLP_TLS'
